// Generated from server/data/templates.json by `npm run generate`. Do not edit.

export interface Fields {
  textile: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Fibre composition. */
    fibre_composition: readonly unknown[];
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Care instructions. */
    care_instructions: string;
    /** Garment weight, in g. */
    garment_weight: number;
    /** Country of weaving or knitting. */
    country_of_weaving: string;
    /** Country of dyeing or printing. */
    country_of_dyeing: string;
    /** Supply chain actors. */
    supply_chain_actors: readonly unknown[];
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Microfibre release in washing, in mg/kg. */
    microfibre_release: number;
    /** Pilling resistance, in grade. */
    pilling_grade: number;
    /** Abrasion resistance, in cycle. */
    abrasion_cycles: number;
    /** Colour fastness to washing, in grade. */
    colour_fastness_washing: number;
    /** Dimensional change after washing, in %. */
    dimensional_stability: number;
    /** Expected wash cycles, in cycle. */
    expected_wash_cycles: number;
    /** Carbon footprint, in kg CO2e. */
    carbon_footprint: number;
    /** Water consumption in production, in L. */
    water_consumption: number;
    /** Certifications and labels. */
    certifications: readonly unknown[];
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
    /** Test reports. */
    test_reports: string;
  };
  battery: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Battery category. */
    battery_category: "portable" | "sli" | "lmt" | "ev" | "industrial";
    /** Unique battery passport identifier. */
    battery_passport_id: string;
    /** Place of manufacture. */
    manufacturing_place: string;
    /** Date of manufacture. */
    manufacturing_date: string;
    /** Battery weight, in kg. */
    battery_weight: number;
    /** Battery chemistry. */
    battery_chemistry: string;
    /** Hazardous substances. */
    hazardous_substances: readonly unknown[];
    /** Usable extinguishing agent. */
    extinguishing_agent: string;
    /** Critical raw materials above 0.1 %. */
    critical_raw_materials: readonly unknown[];
    /** Carbon footprint, in kg CO2e/kWh. */
    carbon_footprint_total: number;
    /** Carbon footprint performance class. */
    carbon_footprint_class: string;
    /** Due diligence report. */
    due_diligence_report: string;
    /** Recycled cobalt share, in %. */
    recycled_content_cobalt: number;
    /** Recycled lithium share, in %. */
    recycled_content_lithium: number;
    /** Recycled nickel share, in %. */
    recycled_content_nickel: number;
    /** Recycled lead share, in %. */
    recycled_content_lead: number;
    /** Renewable content share, in %. */
    renewable_content_share: number;
    /** Rated capacity, in Ah. */
    rated_capacity: number;
    /** Nominal voltage, in V. */
    nominal_voltage: number;
    /** Minimum voltage, in V. */
    minimum_voltage: number;
    /** Maximum voltage, in V. */
    maximum_voltage: number;
    /** Original power capability, in W. */
    original_power_capability: number;
    /** Expected lifetime in cycles, in cycle. */
    expected_lifetime_cycles: number;
    /** Capacity threshold for exhaustion, in %. */
    capacity_threshold_exhaustion: number;
    /** Temperature range when not in use, in °C. */
    idle_temperature_range: string;
    /** Commercial warranty period, in month. */
    warranty_months: number;
    /** Initial round-trip energy efficiency, in %. */
    round_trip_efficiency: number;
    /** Internal cell and pack resistance, in mΩ. */
    internal_resistance: string;
    /** Separate collection marking. */
    separate_collection_symbol: boolean;
    /** EU declaration of conformity. */
    declaration_of_conformity: string;
    /** Waste prevention and collection information. */
    waste_battery_information: string;
    /** Cathode, anode and electrolyte composition. */
    active_material_composition: readonly unknown[];
    /** Component part numbers and spare part sources. */
    spare_part_numbers: readonly unknown[];
    /** Dismantling information. */
    dismantling_information: string;
    /** Safety measures. */
    safety_measures: string;
    /** Test reports. */
    test_reports: string;
    /** State of health, in %. */
    state_of_health: number;
    /** Battery status. */
    battery_status: "original" | "repurposed" | "reused" | "remanufactured" | "waste";
    /** Full equivalent charge cycles, in cycle. */
    charge_cycles: number;
  };
  smartphone: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** EPREL registration number. */
    eprel_registration_number: string;
    /** Energy efficiency class. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Battery endurance per cycle, in h. */
    battery_endurance_per_cycle: number;
    /** Battery endurance in cycles, in cycle. */
    battery_endurance_cycles: number;
    /** Repeated free fall reliability class. */
    free_fall_class: "A" | "B" | "C" | "D" | "E";
    /** Repairability class. */
    repairability_class: "A" | "B" | "C" | "D" | "E";
    /** Ingress protection rating. */
    ip_rating: string;
    /** Rated battery capacity, in mAh. */
    rated_battery_capacity: number;
    /** User-replaceable battery. */
    battery_user_replaceable: boolean;
    /** Operating system update support, in year. */
    os_update_years: number;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Spare parts delivery time, in day. */
    spare_parts_delivery_days: number;
    /** Chargeable via USB-C. */
    usb_c_charging: boolean;
    /** Specific absorption rate, in W/kg. */
    sar_value: number;
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Critical raw materials. */
    critical_raw_materials: readonly unknown[];
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Carbon footprint, in kg CO2e. */
    carbon_footprint: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** EU declaration of conformity. */
    declaration_of_conformity: string;
    /** Test reports. */
    test_reports: string;
  };
  computer: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Computer type. */
    computer_type: "notebook" | "tablet" | "desktop" | "integrated_desktop" | "workstation" | "thin_client";
    /** Year of manufacture. */
    year_of_manufacture: number;
    /** Annual energy consumption (ETEC), in kWh. */
    annual_energy_consumption: number;
    /** Idle state power demand, in W. */
    idle_power: number;
    /** Sleep mode power demand, in W. */
    sleep_power: number;
    /** Power supply efficiency at 50 % load, in %. */
    psu_efficiency_50: number;
    /** Noise level, in dB(A). */
    noise_level: number;
    /** Minimum battery loading cycles, in cycle. */
    battery_loading_cycles: number;
    /** User-replaceable battery. */
    battery_user_replaceable: boolean;
    /** Software updates guaranteed until. */
    os_update_until: string;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Chargeable via USB-C. */
    usb_c_charging: boolean;
    /** Recycled plastic share, in %. */
    recycled_plastic_share: number;
    /** RoHS compliant. */
    rohs_compliant: boolean;
    /** Critical raw materials. */
    critical_raw_materials: readonly unknown[];
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** WEEE category. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Carbon footprint, in kg CO2e. */
    carbon_footprint: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** EU declaration of conformity. */
    declaration_of_conformity: string;
    /** Test reports. */
    test_reports: string;
  };
  cable: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Cable type. */
    cable_type: "usb_c" | "usb_other" | "power_cord" | "data" | "installation" | "charging_ev" | "other";
    /** Connector A. */
    connector_a: string;
    /** Connector B. */
    connector_b: string;
    /** Cable length, in m. */
    cable_length: number;
    /** Maximum supported power, in W. */
    max_power: number;
    /** Rated current, in A. */
    rated_current: number;
    /** Rated voltage, in V. */
    rated_voltage: number;
    /** Maximum data rate, in Gbit/s. */
    data_rate: number;
    /** Conductor material. */
    conductor_material: string;
    /** Conductor cross-section, in mm2. */
    conductor_cross_section: number;
    /** Sheath material. */
    sheath_material: string;
    /** Halogen free. */
    halogen_free: boolean;
    /** Reaction to fire class. */
    fire_reaction_class: "Aca" | "B1ca" | "B2ca" | "Cca" | "Dca" | "Eca" | "Fca";
    /** Connector mating cycles, in cycle. */
    plug_cycles: number;
    /** Bending cycles, in cycle. */
    bending_cycles: number;
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** RoHS compliant. */
    rohs_compliant: boolean;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
    /** WEEE category. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** EU declaration of conformity. */
    declaration_of_conformity: string;
    /** Test reports. */
    test_reports: string;
  };
  motor: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Year of manufacture. */
    year_of_manufacture: number;
    /** Efficiency level (IE). */
    ie_class: "IE1" | "IE2" | "IE3" | "IE4" | "IE5";
    /** Rated efficiency at 100 % load, in %. */
    rated_efficiency_100: number;
    /** Rated efficiency at 75 % load, in %. */
    rated_efficiency_75: number;
    /** Rated efficiency at 50 % load, in %. */
    rated_efficiency_50: number;
    /** Power losses at seven operating points, in %. */
    power_losses: Readonly<Record<string, unknown>>;
    /** Number of poles. */
    number_of_poles: number;
    /** Rated output power, in kW. */
    rated_power: number;
    /** Rated input frequency, in Hz. */
    rated_frequency: number;
    /** Rated voltage, in V. */
    rated_voltage: number;
    /** Rated speed, in rpm. */
    rated_speed: number;
    /** Number of phases. */
    number_of_phases: number;
    /** Operating conditions. */
    operating_conditions: string;
    /** Motor weight, in kg. */
    motor_weight: number;
    /** Permanent magnet type. */
    magnet_type: "none" | "NdFeB" | "SmCo" | "AlNiCo" | "ferrite";
    /** Magnet weight, location and composition. */
    magnet_details: Readonly<Record<string, unknown>>;
    /** Recycled share in magnets, in %. */
    magnet_recycled_share: number;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Carbon footprint, in kg CO2e. */
    carbon_footprint: number;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
    /** EU declaration of conformity. */
    declaration_of_conformity: string;
    /** Test reports. */
    test_reports: string;
  };
  tyre: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Tyre type identifier. */
    tyre_type_identifier: string;
    /** EPREL registration number. */
    eprel_registration_number: string;
    /** Tyre size designation. */
    tyre_size: string;
    /** Tyre class. */
    tyre_class: "C1" | "C2" | "C3";
    /** Load-capacity index. */
    load_index: string;
    /** Speed category symbol. */
    speed_symbol: string;
    /** Fuel efficiency class. */
    fuel_efficiency_class: "A" | "B" | "C" | "D" | "E";
    /** Wet grip class. */
    wet_grip_class: "A" | "B" | "C" | "D" | "E";
    /** External rolling noise class. */
    rolling_noise_class: "A" | "B" | "C";
    /** External rolling noise, in dB. */
    rolling_noise_db: number;
    /** Severe snow tyre (3PMSF). */
    snow_grip: boolean;
    /** Ice grip tyre. */
    ice_grip: boolean;
    /** Rolling resistance coefficient, in N/kN. */
    rolling_resistance: number;
    /** Start of production. */
    production_start: string;
    /** Tyre abrasion rate, in mg/km. */
    abrasion_rate: number;
    /** Expected mileage, in km. */
    expected_mileage: number;
    /** Retreadable. */
    retreadable: boolean;
    /** Natural rubber share, in %. */
    natural_rubber_share: number;
    /** Natural rubber deforestation-free. */
    deforestation_free: boolean;
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Supply chain actors. */
    supply_chain_actors: readonly unknown[];
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
    /** Test reports. */
    test_reports: string;
  };
  packaging: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Packaging type. */
    packaging_type: "sales" | "grouped" | "transport" | "e_commerce" | "takeaway" | "reusable";
    /** Packaging format. */
    packaging_format: string;
    /** Material composition. */
    material_composition: readonly unknown[];
    /** Packaging weight, in g. */
    packaging_weight: number;
    /** Filling volume, in mL. */
    packaging_volume: number;
    /** Recyclability performance grade. */
    recyclability_grade: "A" | "B" | "C";
    /** Post-consumer recycled plastic content, in %. */
    recycled_content_post_consumer: number;
    /** Bio-based plastic content, in %. */
    biobased_content: number;
    /** Compostable. */
    compostable: boolean;
    /** Reusable packaging. */
    reusable: boolean;
    /** Minimum number of rotations. */
    minimum_rotations: number;
    /** Reuse system. */
    reuse_system: string;
    /** Deposit and return system. */
    deposit_return: boolean;
    /** Consumer sorting instruction. */
    sorting_instruction: string;
    /** Empty space ratio, in %. */
    empty_space_ratio: number;
    /** Food contact. */
    food_contact: boolean;
    /** PFAS below the limits. */
    pfas_below_limits: boolean;
    /** Sum of Pb, Cd, Hg and Cr(VI), in mg/kg. */
    heavy_metals_sum: number;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Producer registration number. */
    epr_registration_number: string;
    /** Supply chain actors. */
    supply_chain_actors: readonly unknown[];
    /** EU declaration of conformity. */
    declaration_of_conformity: string;
    /** Technical documentation. */
    technical_documentation: string;
  };
  chemical: {
    /** Trade name. */
    trade_name: string;
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Emergency telephone number. */
    emergency_phone: string;
    /** Nominal quantity. */
    nominal_quantity: string;
    /** Unique formula identifier (UFI). */
    ufi: string;
    /** Signal word. */
    signal_word: "none" | "warning" | "danger";
    /** Hazard pictograms. */
    hazard_pictograms: readonly unknown[];
    /** Hazard statements. */
    hazard_statements: readonly unknown[];
    /** Precautionary statements. */
    precautionary_statements: readonly unknown[];
    /** Safety data sheet. */
    safety_data_sheet: string;
    /** Contains SVHC above 0.1 % w/w. */
    svhc_present: boolean;
    /** Ingredients and concentrations. */
    ingredients: readonly unknown[];
    /** CAS number. */
    cas_number: string;
    /** REACH registration number. */
    reach_registration_number: string;
    /** Poison centre notification. */
    poison_centre_notification: string;
    /** pH value, in pH. */
    ph_value: number;
    /** Flash point, in °C. */
    flash_point: number;
    /** Density, in g/cm3. */
    density: number;
    /** VOC content, in g/L. */
    voc_content: number;
    /** Biodegradability. */
    biodegradability: string;
    /** Storage conditions. */
    storage_conditions: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
    /** Supply chain actors. */
    supply_chain_actors: readonly unknown[];
    /** Test reports. */
    test_reports: string;
  };
  other: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Commodity code (CN/TARIC). */
    commodity_code: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Product description. */
    product_description: string;
    /** Product weight, in kg. */
    product_weight: number;
    /** Material composition. */
    material_composition: readonly unknown[];
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Carbon footprint, in kg CO2e. */
    carbon_footprint: number;
    /** Expected lifetime, in year. */
    expected_lifetime: number;
    /** Commercial warranty period, in month. */
    warranty_months: number;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Contains SVHC above 0.1 % w/w. */
    svhc_present: boolean;
    /** User manual. */
    user_manual: string;
    /** Warnings and safety information. */
    safety_information: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
    /** EU declaration of conformity. */
    declaration_of_conformity: string;
    /** Supply chain actors. */
    supply_chain_actors: readonly unknown[];
    /** Test reports. */
    test_reports: string;
  };
  footwear: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Upper material. */
    upper_material: string;
    /** Lining and sock material. */
    lining_material: string;
    /** Outer sole material. */
    outer_sole_material: string;
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Carbon footprint, in kg CO2e. */
    carbon_footprint: number;
    /** Care instructions. */
    care_instructions: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Repair information. */
    repair_instructions: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  furniture: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Furniture type. */
    furniture_type: "chair" | "table" | "sofa" | "bed" | "cabinet" | "shelf" | "desk" | "other";
    /** Material composition. */
    material_composition: readonly unknown[];
    /** Wood species and country of harvest. */
    wood_origin: readonly unknown[];
    /** Formaldehyde emission, in mg/m3. */
    formaldehyde_emission: number;
    /** Durability test standard. */
    durability_standard: string;
    /** Maximum load, in kg. */
    maximum_load: number;
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  mattress: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Core type. */
    core_type: "foam" | "latex" | "springs" | "hybrid" | "other";
    /** Foam density, in kg/m3. */
    foam_density: number;
    /** Firmness. */
    firmness: string;
    /** Removable cover. */
    cover_removable: boolean;
    /** Cover fibre composition. */
    cover_material: readonly unknown[];
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Carbon footprint, in kg CO2e. */
    carbon_footprint: number;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Take-back scheme. */
    take_back_scheme: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  steel: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Steel grade. */
    steel_grade: string;
    /** Product form. */
    product_form: "flat" | "long" | "tube" | "wire" | "other";
    /** Heat number. */
    heat_number: string;
    /** Production route. */
    production_route: "blast_furnace" | "electric_arc" | "direct_reduction";
    /** Carbon footprint per tonne, in t CO2e/t. */
    carbon_footprint_per_tonne: number;
    /** Scrap content, in %. */
    scrap_content: number;
    /** Yield strength, in MPa. */
    yield_strength: number;
    /** Tensile strength, in MPa. */
    tensile_strength: number;
    /** Chemical composition, in %. */
    chemical_composition: Readonly<Record<string, unknown>>;
    /** Inspection certificate. */
    inspection_certificate: string;
    /** Commodity code (CN/TARIC). */
    commodity_code: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Specific embedded emissions (CBAM), in t CO2e/t. */
    embedded_emissions: number;
  };
  aluminium: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Alloy designation. */
    alloy_designation: string;
    /** Temper. */
    temper: string;
    /** Production route. */
    production_route: "primary" | "secondary" | "mixed";
    /** Carbon footprint per tonne, in t CO2e/t. */
    carbon_footprint_per_tonne: number;
    /** Pre-consumer recycled content, in %. */
    recycled_content_pre_consumer: number;
    /** Post-consumer recycled content, in %. */
    recycled_content_post_consumer: number;
    /** Chemical composition, in %. */
    chemical_composition: Readonly<Record<string, unknown>>;
    /** Country of smelting. */
    smelter_origin: string;
    /** Commodity code (CN/TARIC). */
    commodity_code: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  detergent: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Detergent type. */
    detergent_type: "laundry" | "dishwashing" | "surface" | "surfactant" | "other";
    /** Ingredient classes and ranges. */
    ingredient_classes: readonly unknown[];
    /** Full ingredient data sheet. */
    ingredient_datasheet: string;
    /** Fragrance allergens. */
    fragrance_allergens: readonly unknown[];
    /** Surfactant biodegradability. */
    surfactant_biodegradability: boolean;
    /** Dosage instructions. */
    dosage_instructions: string;
    /** Phosphorus content per dose, in g. */
    phosphorus_content: number;
    /** Unique formula identifier (UFI). */
    ufi: string;
    /** Hazard statements. */
    hazard_statements: readonly unknown[];
    /** Commodity code (CN/TARIC). */
    commodity_code: string;
    /** Safety data sheet. */
    safety_data_sheet: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  toy: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Intended age group. */
    age_group: string;
    /** Safety warnings. */
    safety_warnings: readonly unknown[];
    /** CE marking. */
    ce_marking: boolean;
    /** Harmonised standards applied. */
    harmonised_standards: readonly unknown[];
    /** Main materials. */
    primary_materials: readonly unknown[];
    /** Allergenic fragrances. */
    fragrance_allergens: readonly unknown[];
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Notified body. */
    notified_body: string;
    /** Commodity code (CN/TARIC). */
    commodity_code: string;
    /** Test reports. */
    test_reports: string;
    /** Country of manufacture. */
    country_of_origin: string;
  };
  construction: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Product family. */
    product_family: string;
    /** Intended use. */
    intended_use: string;
    /** Declaration of performance and conformity. */
    declaration_of_performance: string;
    /** Harmonised technical specification. */
    harmonised_standard: string;
    /** Reaction to fire class. */
    fire_class: string;
    /** Thermal conductivity, in W/(m·K). */
    thermal_conductivity: number;
    /** Global warming potential, total (A1-A3), in kg CO2e. */
    gwp_total: number;
    /** Declared unit. */
    declared_unit: string;
    /** Environmental product declaration. */
    epd: string;
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
    /** Test reports. */
    test_reports: string;
  };
  tablet: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** EPREL registration number. */
    eprel_registration_number: string;
    /** Energy efficiency class. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Battery endurance per cycle, in h. */
    battery_endurance_per_cycle: number;
    /** Battery endurance in cycles, in cycle. */
    battery_endurance_cycles: number;
    /** Repeated free fall reliability class. */
    free_fall_class: "A" | "B" | "C" | "D" | "E";
    /** Repairability class. */
    repairability_class: "A" | "B" | "C" | "D" | "E";
    /** Operating system update support, in year. */
    os_update_years: number;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** WEEE category. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  display: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** EPREL registration number. */
    eprel_registration_number: string;
    /** Energy efficiency class. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Screen diagonal, in cm. */
    screen_diagonal: number;
    /** On-mode power demand (SDR), in W. */
    power_on_mode: number;
    /** Standby power demand, in W. */
    standby_power: number;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** WEEE category. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  washing_machine: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** EPREL registration number. */
    eprel_registration_number: string;
    /** Energy efficiency class. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Rated capacity, in kg. */
    load_capacity: number;
    /** Energy consumption per 100 cycles, in kWh. */
    energy_per_100_cycles: number;
    /** Water consumption per cycle, in L. */
    water_per_cycle: number;
    /** Spin noise emission, in dB(A). */
    spin_noise: number;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** WEEE category. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  refrigerator: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** EPREL registration number. */
    eprel_registration_number: string;
    /** Energy efficiency class. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Annual energy consumption, in kWh. */
    annual_energy_consumption: number;
    /** Total volume, in L. */
    total_volume: number;
    /** Refrigerant. */
    refrigerant: string;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** WEEE category. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  dishwasher: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** EPREL registration number. */
    eprel_registration_number: string;
    /** Energy efficiency class. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Energy consumption per 100 cycles, in kWh. */
    energy_per_100_cycles: number;
    /** Water consumption per cycle, in L. */
    water_per_cycle: number;
    /** Place settings. */
    place_settings: number;
    /** Spare parts availability, in year. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** WEEE category. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  lighting: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** EPREL registration number. */
    eprel_registration_number: string;
    /** Energy efficiency class. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Useful luminous flux, in lm. */
    luminous_flux: number;
    /** On-mode power, in W. */
    on_mode_power: number;
    /** Correlated colour temperature, in K. */
    colour_temperature: number;
    /** Lifetime L70B50, in h. */
    lifetime_l70b50: number;
    /** Replaceable light source. */
    replaceable_light_source: boolean;
    /** RoHS compliant. */
    rohs_compliant: boolean;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  charger: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Input voltage, in V. */
    input_voltage: string;
    /** Output power, in W. */
    output_power: number;
    /** Average active efficiency, in %. */
    average_active_efficiency: number;
    /** Efficiency at 10 % load, in %. */
    efficiency_10_load: number;
    /** No-load power consumption, in W. */
    no_load_power: number;
    /** USB-C ports with Power Delivery. */
    usb_pd_ports: number;
    /** Detachable cable. */
    detachable_cable: boolean;
    /** RoHS compliant. */
    rohs_compliant: boolean;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  server: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. */
    model_identifier: string;
    /** Product type. */
    server_type: string;
    /** Power supply efficiency at 50 % load, in %. */
    psu_efficiency_50: number;
    /** Idle state power, in W. */
    idle_power: number;
    /** Operating condition class. */
    operating_condition_class: "A1" | "A2" | "A3" | "A4";
    /** Secure data deletion function. */
    secure_data_deletion: boolean;
    /** Firmware availability. */
    firmware_availability: string;
    /** Critical raw materials. */
    critical_raw_materials: readonly unknown[];
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  paint: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Product subcategory. */
    paint_category: string;
    /** VOC content, ready to use, in g/L. */
    voc_content: number;
    /** Unique formula identifier (UFI). */
    ufi: string;
    /** Hazard statements. */
    hazard_statements: readonly unknown[];
    /** Coverage, in m2/L. */
    coverage: number;
    /** Biocides used. */
    biocides: readonly unknown[];
    /** Safety data sheet. */
    safety_data_sheet: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  lubricant: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Lubricant type. */
    lubricant_type: string;
    /** Viscosity grade. */
    viscosity_grade: string;
    /** Bio-based content, in %. */
    biobased_content: number;
    /** Biodegradability. */
    biodegradability: string;
    /** Re-refined oil share, in %. */
    rerefined_oil_share: number;
    /** Safety data sheet. */
    safety_data_sheet: string;
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  jewellery: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Precious metal and fineness. */
    precious_metal_fineness: string;
    /** Metal weight, in g. */
    metal_weight: number;
    /** Gemstones. */
    gemstones: readonly unknown[];
    /** Recycled metal share, in %. */
    recycled_metal_share: number;
    /** Responsible sourcing statement. */
    responsible_sourcing: string;
    /** Nickel release below limit. */
    nickel_release: boolean;
    /** Supply chain actors. */
    supply_chain_actors: readonly unknown[];
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  cosmetic: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Nominal content. */
    nominal_content: string;
    /** Ingredients (INCI). */
    inci_ingredients: readonly unknown[];
    /** Period after opening, in month. */
    period_after_opening: number;
    /** CPNP reference. */
    cpnp_reference: string;
    /** Warnings and safety information. */
    safety_information: string;
    /** Packaging recyclability. */
    packaging_recyclability: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  vehicle_part: {
    /** Manufacturer name. */
    manufacturer_name: string;
    /** Manufacturer postal address. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Manufacturer part number. */
    part_number: string;
    /** Product weight, in kg. */
    product_weight: number;
    /** Material composition (IMDS). */
    material_composition: readonly unknown[];
    /** Recycled content, in %. */
    recycled_content_share: number;
    /** Carbon footprint, in kg CO2e. */
    carbon_footprint: number;
    /** Critical raw materials. */
    critical_raw_materials: readonly unknown[];
    /** Substances of concern. */
    substances_of_concern: readonly unknown[];
    /** Disassembly instructions. */
    disassembly_instructions: string;
    /** Suitable for remanufacturing. */
    remanufacturable: boolean;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
}
