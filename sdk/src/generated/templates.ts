// Generated from server/data/templates.json by `npm run generate`. Do not edit.

import type { Measure, Members, Template } from '../check.ts';

/** The template `textile`: Textiles. */
export const textile: Template<'textile'> = { key: 'textile', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: true, section: "supply_chain" },
  { key: "fibre_composition", type: "list", unit: null, access_level: "public", required: true, section: "composition", members: [{ key: "fibre", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "care_instructions", type: "text", unit: null, access_level: "public", required: true, section: "use" },
  { key: "garment_weight", type: "number", unit: "g", minimum: 0, access_level: "public", required: false, section: "composition" },
  { key: "country_of_weaving", type: "country_code", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "country_of_dyeing", type: "country_code", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "supply_chain_actors", type: "list", unit: null, access_level: "restricted", required: false, section: "supply_chain", members: [{ key: "tier", type: "integer", minimum: 0 }, { key: "name", type: "string" }, { key: "role", type: "string" }, { key: "location", type: "string" }, { key: "country", type: "country_code" }] },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "microfibre_release", type: "number", unit: "mg/kg", minimum: 0, access_level: "public", required: false, section: "environment" },
  { key: "pilling_grade", type: "number", unit: "grade", minimum: 1, maximum: 5, access_level: "public", required: false, section: "durability" },
  { key: "abrasion_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "colour_fastness_washing", type: "number", unit: "grade", minimum: 1, maximum: 5, access_level: "public", required: false, section: "durability" },
  { key: "dimensional_stability", type: "number", unit: "%", access_level: "public", required: false, section: "durability" },
  { key: "expected_wash_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "carbon_footprint", type: "number", unit: "kg CO2e", access_level: "public", required: false, section: "environment" },
  { key: "water_consumption", type: "number", unit: "L", minimum: 0, access_level: "public", required: false, section: "environment" },
  { key: "certifications", type: "list", unit: null, access_level: "public", required: false, section: "compliance", items: { type: "string" } },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "above", limit: 0, fields: ["garment_weight"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", fields: ["fibre_composition.share"] },
] };

/** The template `battery`: Batteries. */
export const battery: Template<'battery'> = { key: 'battery', version: 1, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, points: [3], section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: true, points: [4], section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, points: [5], section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "operator_name", type: "string", unit: null, access_level: "public", required: true, points: [2], section: "economic_operator" },
  { key: "operator_identifier", type: "object", unit: null, access_level: "public", required: false, section: "economic_operator", members: [{ key: "scheme", type: "string" }, { key: "number", type: "string" }] },
  { key: "battery_category", type: "enum", unit: null, access_level: "public", required: true, points: [6], section: "identification", options: ["portable", "sli", "lmt", "ev", "industrial"] },
  { key: "battery_passport_id", type: "string", unit: null, access_level: "public", required: true, points: [1], unique: true, section: "identification" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, points: [7], section: "identification" },
  { key: "serial_number", type: "string", unit: null, access_level: "public", required: true, points: [7], section: "identification" },
  { key: "manufacturing_place", type: "string", unit: null, access_level: "public", required: true, points: [8], section: "supply_chain" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "manufacturing_date", type: "date", unit: null, access_level: "public", required: true, points: [9], section: "identification" },
  { key: "battery_weight", type: "number", unit: "kg", minimum: 0, access_level: "public", required: true, points: [10], section: "composition" },
  { key: "battery_chemistry", type: "string", unit: null, access_level: "public", required: true, points: [12], section: "composition" },
  { key: "hazardous_substances", type: "list", unit: null, access_level: "public", required: true, points: [13], section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "extinguishing_agent", type: "string", unit: null, access_level: "public", required: true, points: [14], section: "use" },
  { key: "critical_raw_materials", type: "list", unit: null, access_level: "public", required: true, points: [15], section: "composition", items: { type: "string" }, members: [{ key: "material", type: "string" }, { key: "mass", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "carbon_footprint_total", type: "number", unit: "kg CO2e/kWh", access_level: "public", required: false, points: [17], section: "environment" },
  { key: "carbon_footprint_class", type: "string", unit: null, access_level: "public", required: false, points: [18], section: "environment" },
  { key: "due_diligence_report", type: "url", unit: null, access_level: "public", required: false, points: [19], section: "supply_chain" },
  { key: "recycled_content_cobalt", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, points: [20], section: "composition" },
  { key: "recycled_content_lithium", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, points: [21], section: "composition" },
  { key: "recycled_content_nickel", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, points: [22], section: "composition" },
  { key: "recycled_content_lead", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, points: [23], section: "composition" },
  { key: "renewable_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, points: [24], section: "composition" },
  { key: "rated_capacity", type: "number", unit: "Ah", minimum: 0, access_level: "public", required: true, points: [11], section: "performance" },
  { key: "minimum_voltage", type: "number", unit: "V", minimum: 0, access_level: "public", required: true, points: [26], section: "performance" },
  { key: "nominal_voltage", type: "number", unit: "V", minimum: 0, access_level: "public", required: true, points: [27], section: "performance" },
  { key: "maximum_voltage", type: "number", unit: "V", minimum: 0, access_level: "public", required: true, points: [28], section: "performance" },
  { key: "voltage_temperature_minimum", type: "number", unit: "°C", access_level: "public", required: false, section: "performance" },
  { key: "voltage_temperature_maximum", type: "number", unit: "°C", access_level: "public", required: false, section: "performance" },
  { key: "original_power_capability", type: "number", unit: "W", minimum: 0, access_level: "public", required: true, points: [29], section: "performance" },
  { key: "maximum_permitted_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: true, points: [30], section: "performance" },
  { key: "power_temperature_minimum", type: "number", unit: "°C", access_level: "public", required: false, section: "performance" },
  { key: "power_temperature_maximum", type: "number", unit: "°C", access_level: "public", required: false, section: "performance" },
  { key: "expected_lifetime_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "public", required: false, points: [31, 59], section: "durability" },
  { key: "cycle_life_reference_test", type: "string", unit: null, access_level: "public", required: false, points: [32], section: "durability" },
  { key: "capacity_threshold_exhaustion", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, points: [33], section: "durability" },
  { key: "idle_temperature_minimum", type: "number", unit: "°C", access_level: "public", required: true, points: [34], section: "performance" },
  { key: "idle_temperature_maximum", type: "number", unit: "°C", access_level: "public", required: true, points: [34], section: "performance" },
  { key: "idle_temperature_reference_test", type: "string", unit: null, access_level: "public", required: false, section: "performance" },
  { key: "warranty_months", type: "integer", unit: "month", minimum: 0, access_level: "public", required: false, points: [35], section: "durability" },
  { key: "round_trip_efficiency", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, points: [36], section: "performance" },
  { key: "round_trip_efficiency_at_half_cycle_life", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, points: [37], section: "performance" },
  { key: "internal_resistance_cell", type: "number", unit: "Ω", minimum: 0, access_level: "public", required: true, points: [38], section: "performance" },
  { key: "internal_resistance_pack", type: "number", unit: "Ω", minimum: 0, access_level: "public", required: true, points: [38], section: "performance" },
  { key: "cycle_life_test_c_rate", type: "number", unit: "A/Ah", minimum: 0, access_level: "public", required: false, points: [39], section: "durability" },
  { key: "separate_collection_symbol", type: "boolean", unit: null, access_level: "public", required: true, points: [40], section: "end_of_life" },
  { key: "cadmium_lead_symbol", type: "enum", unit: null, access_level: "public", required: false, points: [41], section: "end_of_life", options: ["cd", "pb", "cd_and_pb", "none"] },
  { key: "declaration_of_conformity", type: "url", unit: null, access_level: "public", required: true, points: [42], section: "compliance" },
  { key: "waste_battery_information", type: "text", unit: null, access_level: "public", required: true, points: [43], section: "end_of_life" },
  { key: "instructions_for_use", type: "url", unit: null, access_level: "public", required: false, points: [44], section: "use" },
  { key: "active_material_composition", type: "list", unit: null, access_level: "restricted", required: true, points: [45], section: "composition", members: [{ key: "part", type: "string" }, { key: "material", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "spare_part_numbers", type: "list", unit: null, access_level: "restricted", required: true, points: [46], section: "repair", items: { type: "string" }, members: [{ key: "part", type: "string" }, { key: "number", type: "string" }] },
  { key: "spare_part_sources", type: "list", unit: null, access_level: "restricted", required: true, points: [47], section: "repair", members: [{ key: "name", type: "string" }, { key: "address", type: "string" }, { key: "email", type: "contact" }, { key: "url", type: "url" }] },
  { key: "dismantling_information", type: "url", unit: null, access_level: "restricted", required: true, points: [48], section: "repair" },
  { key: "safety_measures", type: "text", unit: null, access_level: "restricted", required: true, points: [49], section: "use" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: true, points: [50], section: "compliance" },
  { key: "state_measured_on", type: "date", unit: null, access_level: "restricted", required: false, section: "durability" },
  { key: "state_of_certified_energy", type: "number", unit: "%", minimum: 0, access_level: "restricted", required: false, points: [61], section: "durability" },
  { key: "remaining_capacity", type: "number", unit: "Ah", minimum: 0, access_level: "restricted", required: false, points: [51, 62], section: "durability" },
  { key: "capacity_fade", type: "number", unit: "%", access_level: "restricted", required: false, points: [52], section: "durability" },
  { key: "remaining_power_capability", type: "number", unit: "W", minimum: 0, access_level: "restricted", required: false, points: [53, 63], section: "durability" },
  { key: "power_fade", type: "number", unit: "%", access_level: "restricted", required: false, points: [54], section: "durability" },
  { key: "current_internal_resistance", type: "number", unit: "Ω", minimum: 0, access_level: "restricted", required: false, points: [55, 66], section: "durability" },
  { key: "internal_resistance_increase", type: "number", unit: "%", access_level: "restricted", required: false, points: [56], section: "durability" },
  { key: "remaining_round_trip_efficiency", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "restricted", required: false, points: [57, 64], section: "durability" },
  { key: "round_trip_efficiency_fade", type: "number", unit: "%", access_level: "restricted", required: false, points: [58], section: "durability" },
  { key: "self_discharge_evolution", type: "number", unit: "%", access_level: "restricted", required: false, points: [65], section: "durability" },
  { key: "expected_lifetime_years", type: "number", unit: "year", minimum: 0, access_level: "restricted", required: false, points: [60], section: "durability" },
  { key: "battery_status", type: "enum", unit: null, access_level: "restricted", required: true, points: [67], section: "identification", options: ["original", "repurposed", "reused", "remanufactured", "waste"] },
  { key: "charge_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "restricted", required: false, points: [68], section: "durability" },
  { key: "negative_events", type: "list", unit: null, access_level: "restricted", required: false, points: [69], section: "durability", members: [{ key: "date", type: "date" }, { key: "event", type: "string" }] },
  { key: "operating_conditions", type: "list", unit: null, access_level: "restricted", required: false, points: [70], section: "use", members: [{ key: "date", type: "date" }, { key: "condition", type: "string" }, { key: "temperature", type: "number", unit: "°C" }] },
  { key: "state_of_charge_records", type: "list", unit: null, access_level: "restricted", required: false, points: [71], section: "durability", members: [{ key: "date", type: "date" }, { key: "state_of_charge", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "ascending", fields: ["minimum_voltage", "nominal_voltage", "maximum_voltage"], blocks: true },
  { kind: "ascending", fields: ["voltage_temperature_minimum", "voltage_temperature_maximum"], blocks: true },
  { kind: "ascending", fields: ["power_temperature_minimum", "power_temperature_maximum"], blocks: true },
  { kind: "ascending", fields: ["idle_temperature_minimum", "idle_temperature_maximum"], blocks: true },
  { kind: "above", limit: 0, fields: ["battery_weight"], blocks: true },
  { kind: "above", limit: 0, fields: ["rated_capacity", "nominal_voltage", "maximum_voltage"], blocks: true },
  { kind: "past", fields: ["manufacturing_date", "state_measured_on", "negative_events.date", "operating_conditions.date", "state_of_charge_records.date"], blocks: true },
  { kind: "times", limit: 1.2, fields: ["remaining_capacity", "rated_capacity"] },
  { kind: "times", limit: 1.2, fields: ["remaining_power_capability", "original_power_capability"] },
  { kind: "below", limit: 120, fields: ["state_of_certified_energy"] },
  { kind: "below", limit: 100, fields: ["capacity_fade", "power_fade", "round_trip_efficiency_fade"] },
  { kind: "below", limit: 100, fields: ["expected_lifetime_years"], blocks: true },
  { kind: "below", limit: 1200, fields: ["warranty_months"] },
  { kind: "fraction", fields: ["round_trip_efficiency", "round_trip_efficiency_at_half_cycle_life", "capacity_threshold_exhaustion"], blocks: true },
  { kind: "fraction", fields: ["state_of_certified_energy", "remaining_round_trip_efficiency"] },
  { kind: "true", fields: ["separate_collection_symbol"] },
  { kind: "email", fields: ["spare_part_sources.email"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["hazardous_substances.cas"], blocks: true },
  { kind: "total", by: "part", fields: ["active_material_composition.share"] },
  { kind: "total", fields: ["hazardous_substances.share"] },
  { kind: "total", fields: ["critical_raw_materials.share"] },
], data_points: { ...{ title: "Guidance Document: Digital Batteries Passport - data points by category", author: "European Commission, DG GROW", version: "2.0", date: "2026-08-15", reference: "Ares(2026)7968977", url: "https://single-market-economy.ec.europa.eu/document/download/cd1e5e6c-4a4a-4b99-995a-49eb6916187e_en?filename=Digital+Batteries+Passport+-+data+point+by+category.pdf", licence: "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/", changes: "Read in a public transcription. Kept: number, legal reference, access level and status of each data point, with one word for each status. Left out: names and wording. Added: the first day of data point 19, after Article 48(1), the field with the category, and, in words of our own after the articles that they name, when a conditional point applies and the parts of data point 43.", note: "The guidance is not binding and no authoritative interpretation of the legislation. The category industrial means more than 2 kWh. Portable and SLI batteries need no passport.", applies_from: "2027-02-18", category: "battery_category", exempt: ["portable", "sli"] }, points: [
  { number: 1, source: "Battery Reg. (EU) 2023/1542 Art. 77(3)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 2, source: "Battery Reg. (EU) 2023/1542 Art. 77(3)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 3, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(1)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 4, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(1)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 5, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(1)", level: "public", rules: { ev: "optional", lmt: "optional", industrial: "optional" } },
  { number: 6, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(2)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 7, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(2)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 8, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(3)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 9, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(4)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 10, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(5)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 11, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(6)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 12, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(7)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 13, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(8)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 14, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(9)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 15, source: "Battery Reg. (EU) 2023/1542 Annex VI Part A(10)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 16, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(b)", level: "public", rules: { ev: "not shown", lmt: "not shown", industrial: "not shown" } },
  { number: 17, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(c)", level: "public", rules: { ev: "later", lmt: "later", industrial: "later" }, why: "waits for an implementing act" },
  { number: 18, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(c)", level: "public", rules: { ev: "later", lmt: "later", industrial: "later" }, why: "waits for an implementing act" },
  { number: 19, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(d)", level: "public", rules: { ev: "later", lmt: "later", industrial: "later" }, from: "2027-08-18" },
  { number: 20, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(e)", level: "public", rules: { ev: "later", lmt: "later", industrial: "later" }, why: "waits for a delegated act" },
  { number: 21, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(e)", level: "public", rules: { ev: "later", lmt: "later", industrial: "later" }, why: "waits for a delegated act" },
  { number: 22, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(e)", level: "public", rules: { ev: "later", lmt: "later", industrial: "later" }, why: "waits for a delegated act" },
  { number: 23, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(e)", level: "public", rules: { ev: "later", lmt: "later", industrial: "later" }, why: "waits for a delegated act" },
  { number: 24, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(f)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 25, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(g)", level: "public", rules: { ev: "not shown", lmt: "not shown", industrial: "not shown" } },
  { number: 26, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(h)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 27, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(h)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 28, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(h)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 29, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(i)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 30, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(i)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 31, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(j)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1)) or its application has no cycles (Annex IV Part A)" },
  { number: 32, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(j)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1)) or its application has no cycles (Annex IV Part A)" },
  { number: 33, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(k)", level: "public", rules: { ev: "mandatory", lmt: "not shown", industrial: "not shown" } },
  { number: 34, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(l)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 35, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(m)", level: "public", rules: { ev: "conditional", lmt: "conditional", industrial: "conditional" }, when: "where there is a commercial warranty" },
  { number: 36, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(n)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1))" },
  { number: 37, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(n)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1)) or its application has no cycles (Annex IV Part A)" },
  { number: 38, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(o)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 39, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(p)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1)) or its application has no cycles (Annex IV Part A)" },
  { number: 40, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(q)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 41, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(q)", level: "public", rules: { ev: "conditional", lmt: "conditional", industrial: "conditional" }, when: "where the battery has more than 0.002 % cadmium or more than 0.004 % lead (Article 13(5))" },
  { number: 42, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(r)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 43, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(s)", level: "public", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" }, parts: ["how end-users help to prevent waste, with advice for a longer use, and what re-use, repurposing and remanufacturing are possible", "how end-users help to collect waste batteries separately", "where and how waste batteries are taken back, collected, prepared for re-use or repurposing, and treated", "how to handle waste batteries safely, in particular those with lithium", "what the labels and symbols on the battery, its packaging and its documents mean", "how substances in the battery, in particular hazardous ones, affect the environment and health, also when it is littered or put into unsorted waste"] },
  { number: 44, source: "Battery Reg. (EU) 2023/1542 Annex XIII 1(t)", level: "public", rules: { ev: "later", lmt: "later", industrial: "later" }, why: "is on hold" },
  { number: 45, source: "Battery Reg. (EU) 2023/1542 Annex XIII 2(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 46, source: "Battery Reg. (EU) 2023/1542 Annex XIII 2(b)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 47, source: "Battery Reg. (EU) 2023/1542 Annex XIII 2(b)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 48, source: "Battery Reg. (EU) 2023/1542 Annex XIII 2(c)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 49, source: "Battery Reg. (EU) 2023/1542 Annex XIII 2(d)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 50, source: "Battery Reg. (EU) 2023/1542 Annex XIII 3", level: "authority", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 51, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1))" },
  { number: 52, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1))" },
  { number: 53, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1))" },
  { number: 54, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1))" },
  { number: 55, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1))" },
  { number: 56, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1))" },
  { number: 57, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "conditional", lmt: "conditional", industrial: "conditional" }, when: "where the parameter applies (Annex IV Part A)" },
  { number: 58, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "conditional", lmt: "conditional", industrial: "conditional" }, when: "where the parameter applies (Annex IV Part A)" },
  { number: 59, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1)) or its application has no cycles (Annex IV Part A)" },
  { number: 60, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(a)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "conditional" }, when: "unless the battery has exclusively external storage (Article 10(1))" },
  { number: 61, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(b)", level: "restricted", rules: { ev: "mandatory", lmt: "not shown", industrial: "not shown" } },
  { number: 62, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(b)", level: "restricted", rules: { ev: "not shown", lmt: "mandatory", industrial: "conditional" }, when: "where the battery is a stationary energy storage system with a battery management system (Article 14(1))" },
  { number: 63, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(b)", level: "restricted", rules: { ev: "not shown", lmt: "mandatory", industrial: "conditional" }, when: "where the battery is a stationary energy storage system with a battery management system (Article 14(1)), where possible" },
  { number: 64, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(b)", level: "restricted", rules: { ev: "not shown", lmt: "mandatory", industrial: "conditional" }, when: "where the battery is a stationary energy storage system with a battery management system (Article 14(1)), where possible" },
  { number: 65, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(b)", level: "restricted", rules: { ev: "not shown", lmt: "mandatory", industrial: "conditional" }, when: "where the battery is a stationary energy storage system with a battery management system (Article 14(1)), where possible" },
  { number: 66, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(b)", level: "restricted", rules: { ev: "not shown", lmt: "mandatory", industrial: "conditional" }, when: "where the battery is a stationary energy storage system with a battery management system (Article 14(1)), where possible" },
  { number: 67, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(c)", level: "restricted", rules: { ev: "mandatory", lmt: "mandatory", industrial: "mandatory" } },
  { number: 68, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(d)", level: "restricted", rules: { ev: "conditional", lmt: "conditional", industrial: "conditional" }, when: "once the battery is in use" },
  { number: 69, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(d)", level: "restricted", rules: { ev: "conditional", lmt: "conditional", industrial: "conditional" }, when: "once there was such an event" },
  { number: 70, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(d)", level: "restricted", rules: { ev: "conditional", lmt: "conditional", industrial: "conditional" }, when: "where the battery records them" },
  { number: 71, source: "Battery Reg. (EU) 2023/1542 Annex XIII 4(d)", level: "restricted", rules: { ev: "conditional", lmt: "conditional", industrial: "conditional" }, when: "where the battery records it" },
] } };

/** The template `smartphone`: Smartphones. */
export const smartphone: Template<'smartphone'> = { key: 'smartphone', version: 3, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "eprel_registration_number", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "energy_efficiency_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E", "F", "G"] },
  { key: "battery_endurance_per_cycle", type: "number", unit: "h", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "battery_endurance_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "public", required: true, section: "durability" },
  { key: "free_fall_class", type: "enum", unit: null, access_level: "public", required: true, section: "durability", options: ["A", "B", "C", "D", "E"] },
  { key: "repairability_class", type: "enum", unit: null, access_level: "public", required: true, section: "repair", options: ["A", "B", "C", "D", "E"] },
  { key: "ip_rating", type: "string", unit: null, access_level: "public", required: true, section: "durability" },
  { key: "rated_battery_capacity", type: "integer", unit: "mAh", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "battery_user_replaceable", type: "boolean", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "os_update_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: true, section: "durability" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: true, section: "repair" },
  { key: "spare_parts_delivery_days", type: "integer", unit: "day", minimum: 0, access_level: "public", required: false, section: "repair" },
  { key: "usb_c_charging", type: "boolean", unit: null, access_level: "public", required: false, section: "performance" },
  { key: "sar_value", type: "number", unit: "W/kg", minimum: 0, access_level: "public", required: false, section: "compliance" },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "critical_raw_materials", type: "list", unit: null, access_level: "restricted", required: false, section: "composition", items: { type: "string" }, members: [{ key: "material", type: "string" }, { key: "mass", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "carbon_footprint", type: "number", unit: "kg CO2e", access_level: "public", required: false, section: "environment" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: true, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "declaration_of_conformity", type: "url", unit: null, access_level: "public", required: false, section: "compliance" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
  { key: "weee_category", type: "enum", unit: null, access_level: "public", required: false, section: "end_of_life", options: ["1", "2", "3", "4", "5", "6"] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: false, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "above", limit: 0, fields: ["rated_battery_capacity"], blocks: true },
  { kind: "below", limit: 100, fields: ["os_update_years", "spare_parts_years"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", fields: ["critical_raw_materials.share"] },
] };

/** The template `computer`: Computers. */
export const computer: Template<'computer'> = { key: 'computer', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "computer_type", type: "enum", unit: null, access_level: "public", required: true, section: "identification", options: ["notebook", "tablet", "desktop", "integrated_desktop", "workstation", "thin_client"] },
  { key: "year_of_manufacture", type: "integer", unit: null, minimum: 1900, access_level: "public", required: true, section: "identification" },
  { key: "annual_energy_consumption", type: "number", unit: "kWh", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "idle_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "sleep_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "psu_efficiency_50", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "performance" },
  { key: "noise_level", type: "number", unit: "dB(A)", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "battery_loading_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "battery_user_replaceable", type: "boolean", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "os_update_until", type: "date", unit: null, access_level: "public", required: false, section: "durability" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: false, section: "repair" },
  { key: "usb_c_charging", type: "boolean", unit: null, access_level: "public", required: false, section: "performance" },
  { key: "recycled_plastic_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "rohs_compliant", type: "boolean", unit: null, access_level: "public", required: false, section: "substances" },
  { key: "critical_raw_materials", type: "list", unit: null, access_level: "restricted", required: false, section: "composition", items: { type: "string" }, members: [{ key: "material", type: "string" }, { key: "mass", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "weee_category", type: "enum", unit: null, access_level: "public", required: false, section: "end_of_life", options: ["1", "2", "3", "4", "5", "6"] },
  { key: "carbon_footprint", type: "number", unit: "kg CO2e", access_level: "public", required: false, section: "environment" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "declaration_of_conformity", type: "url", unit: null, access_level: "public", required: false, section: "compliance" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "below", limit: 100, fields: ["spare_parts_years"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", fields: ["critical_raw_materials.share"] },
] };

/** The template `cable`: Cables. */
export const cable: Template<'cable'> = { key: 'cable', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "cable_type", type: "enum", unit: null, access_level: "public", required: true, section: "identification", options: ["usb_c", "usb_other", "power_cord", "data", "installation", "charging_ev", "other"] },
  { key: "connector_a", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "connector_b", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "cable_length", type: "number", unit: "m", minimum: 0, access_level: "public", required: true, section: "identification" },
  { key: "max_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "rated_current", type: "number", unit: "A", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "rated_voltage", type: "number", unit: "V", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "data_rate", type: "number", unit: "Gbit/s", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "conductor_material", type: "string", unit: null, access_level: "public", required: false, section: "composition" },
  { key: "conductor_cross_section", type: "number", unit: "mm2", minimum: 0, access_level: "public", required: false, section: "composition" },
  { key: "sheath_material", type: "string", unit: null, access_level: "public", required: false, section: "composition" },
  { key: "halogen_free", type: "boolean", unit: null, access_level: "public", required: false, section: "substances" },
  { key: "fire_reaction_class", type: "enum", unit: null, access_level: "public", required: false, section: "compliance", options: ["Aca", "B1ca", "B2ca", "Cca", "Dca", "Eca", "Fca"] },
  { key: "plug_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "bending_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "rohs_compliant", type: "boolean", unit: null, access_level: "public", required: false, section: "substances" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "weee_category", type: "enum", unit: null, access_level: "public", required: false, section: "end_of_life", options: ["1", "2", "3", "4", "5", "6"] },
  { key: "declaration_of_conformity", type: "url", unit: null, access_level: "public", required: false, section: "compliance" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `motor`: Electric motors. */
export const motor: Template<'motor'> = { key: 'motor', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "year_of_manufacture", type: "integer", unit: null, minimum: 1900, access_level: "public", required: true, section: "identification" },
  { key: "ie_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["IE1", "IE2", "IE3", "IE4", "IE5"] },
  { key: "rated_efficiency_100", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "performance" },
  { key: "rated_efficiency_75", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "performance" },
  { key: "rated_efficiency_50", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "performance" },
  { key: "power_losses", type: "object", unit: "%", access_level: "public", required: false, section: "performance", items: { type: "number", minimum: 0 } },
  { key: "number_of_poles", type: "integer", unit: null, minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "rated_power", type: "number", unit: "kW", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "rated_frequency", type: "number", unit: "Hz", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "rated_voltage", type: "number", unit: "V", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "rated_speed", type: "number", unit: "rpm", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "number_of_phases", type: "integer", unit: null, minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "operating_conditions", type: "text", unit: null, access_level: "public", required: false, section: "use" },
  { key: "motor_weight", type: "number", unit: "kg", minimum: 0, access_level: "public", required: false, section: "composition" },
  { key: "magnet_type", type: "enum", unit: null, access_level: "public", required: false, section: "composition", options: ["none", "NdFeB", "SmCo", "AlNiCo", "ferrite"] },
  { key: "magnet_details", type: "object", unit: null, access_level: "restricted", required: false, section: "composition", members: [{ key: "mass", type: "number", minimum: 0 }, { key: "location", type: "string" }, { key: "material", type: "string" }] },
  { key: "magnet_recycled_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "carbon_footprint", type: "number", unit: "kg CO2e", access_level: "public", required: false, section: "environment" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "declaration_of_conformity", type: "url", unit: null, access_level: "public", required: false, section: "compliance" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "above", limit: 0, fields: ["motor_weight"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `tyre`: Tyres. */
export const tyre: Template<'tyre'> = { key: 'tyre', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "tyre_type_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "eprel_registration_number", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "tyre_size", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "tyre_class", type: "enum", unit: null, access_level: "public", required: true, section: "identification", options: ["C1", "C2", "C3"] },
  { key: "load_index", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "speed_symbol", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "fuel_efficiency_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E"] },
  { key: "wet_grip_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E"] },
  { key: "rolling_noise_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C"] },
  { key: "rolling_noise_db", type: "integer", unit: "dB", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "snow_grip", type: "boolean", unit: null, access_level: "public", required: true, section: "performance" },
  { key: "ice_grip", type: "boolean", unit: null, access_level: "public", required: false, section: "performance" },
  { key: "rolling_resistance", type: "number", unit: "N/kN", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "production_start", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "abrasion_rate", type: "number", unit: "mg/km", minimum: 0, access_level: "public", required: false, section: "environment" },
  { key: "expected_mileage", type: "integer", unit: "km", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "retreadable", type: "boolean", unit: null, access_level: "public", required: false, section: "end_of_life" },
  { key: "natural_rubber_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "deforestation_free", type: "boolean", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "supply_chain_actors", type: "list", unit: null, access_level: "restricted", required: false, section: "supply_chain", members: [{ key: "tier", type: "integer", minimum: 0 }, { key: "name", type: "string" }, { key: "role", type: "string" }, { key: "location", type: "string" }, { key: "country", type: "country_code" }] },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `packaging`: Packaging. */
export const packaging: Template<'packaging'> = { key: 'packaging', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "packaging_type", type: "enum", unit: null, access_level: "public", required: true, section: "identification", options: ["sales", "grouped", "transport", "e_commerce", "takeaway", "reusable"] },
  { key: "packaging_format", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "material_composition", type: "list", unit: null, access_level: "public", required: true, section: "composition", members: [{ key: "part", type: "string" }, { key: "material", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "packaging_weight", type: "number", unit: "g", minimum: 0, access_level: "public", required: true, section: "composition" },
  { key: "packaging_volume", type: "number", unit: "mL", minimum: 0, access_level: "public", required: false, section: "identification" },
  { key: "recyclability_grade", type: "enum", unit: null, access_level: "public", required: true, section: "end_of_life", options: ["A", "B", "C"] },
  { key: "recycled_content_post_consumer", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "composition" },
  { key: "biobased_content", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "compostable", type: "boolean", unit: null, access_level: "public", required: false, section: "end_of_life" },
  { key: "reusable", type: "boolean", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "minimum_rotations", type: "integer", unit: null, minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "reuse_system", type: "string", unit: null, access_level: "public", required: false, section: "end_of_life" },
  { key: "deposit_return", type: "boolean", unit: null, access_level: "public", required: false, section: "end_of_life" },
  { key: "sorting_instruction", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "empty_space_ratio", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "performance" },
  { key: "food_contact", type: "boolean", unit: null, access_level: "public", required: true, section: "use" },
  { key: "pfas_below_limits", type: "boolean", unit: null, access_level: "public", required: false, section: "substances" },
  { key: "heavy_metals_sum", type: "number", unit: "mg/kg", minimum: 0, access_level: "authority", required: false, section: "substances" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "epr_registration_number", type: "string", unit: null, access_level: "public", required: false, section: "compliance" },
  { key: "supply_chain_actors", type: "list", unit: null, access_level: "restricted", required: false, section: "supply_chain", members: [{ key: "tier", type: "integer", minimum: 0 }, { key: "name", type: "string" }, { key: "role", type: "string" }, { key: "location", type: "string" }, { key: "country", type: "country_code" }] },
  { key: "declaration_of_conformity", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
  { key: "technical_documentation", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "above", limit: 0, fields: ["packaging_weight"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", by: "part", fields: ["material_composition.share"] },
] };

/** The template `chemical`: Chemical products. */
export const chemical: Template<'chemical'> = { key: 'chemical', version: 2, fields: [
  { key: "trade_name", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "emergency_phone", type: "phone", unit: null, access_level: "public", required: true, section: "use" },
  { key: "nominal_quantity", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "ufi", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "signal_word", type: "enum", unit: null, access_level: "public", required: true, section: "substances", options: ["none", "warning", "danger"] },
  { key: "hazard_pictograms", type: "list", unit: null, access_level: "public", required: true, section: "substances", items: { type: "string" } },
  { key: "hazard_statements", type: "list", unit: null, access_level: "public", required: true, section: "substances", items: { type: "string", code: true }, members: [{ key: "code", type: "string" }, { key: "text", type: "text" }] },
  { key: "precautionary_statements", type: "list", unit: null, access_level: "public", required: true, section: "substances", items: { type: "string", code: true }, members: [{ key: "code", type: "string" }, { key: "text", type: "text" }] },
  { key: "safety_data_sheet", type: "url", unit: null, access_level: "public", required: true, section: "use" },
  { key: "svhc_present", type: "boolean", unit: null, access_level: "public", required: true, section: "substances" },
  { key: "ingredients", type: "list", unit: null, access_level: "restricted", required: false, section: "composition", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "cas_number", type: "string", unit: null, access_level: "restricted", required: false, section: "composition" },
  { key: "reach_registration_number", type: "string", unit: null, access_level: "restricted", required: false, section: "compliance" },
  { key: "poison_centre_notification", type: "string", unit: null, access_level: "authority", required: false, section: "compliance" },
  { key: "ph_value", type: "number", unit: "pH", access_level: "public", required: false, section: "performance" },
  { key: "flash_point", type: "number", unit: "°C", access_level: "public", required: false, section: "performance" },
  { key: "density", type: "number", unit: "g/cm3", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "voc_content", type: "number", unit: "g/L", minimum: 0, access_level: "public", required: false, section: "environment" },
  { key: "biodegradability", type: "string", unit: null, access_level: "public", required: false, section: "environment" },
  { key: "storage_conditions", type: "text", unit: null, access_level: "public", required: false, section: "use" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "supply_chain_actors", type: "list", unit: null, access_level: "restricted", required: false, section: "supply_chain", members: [{ key: "tier", type: "integer", minimum: 0 }, { key: "name", type: "string" }, { key: "role", type: "string" }, { key: "location", type: "string" }, { key: "country", type: "country_code" }] },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["cas_number", "ingredients.cas"], blocks: true },
  { kind: "total", fields: ["ingredients.share"], blocks: true },
] };

/** The template `other`: Other products. */
export const other: Template<'other'> = { key: 'other', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "commodity_code", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: true, section: "supply_chain" },
  { key: "product_description", type: "text", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "product_weight", type: "number", unit: "kg", minimum: 0, access_level: "public", required: false, section: "composition" },
  { key: "material_composition", type: "list", unit: null, access_level: "public", required: false, section: "composition", members: [{ key: "part", type: "string" }, { key: "material", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "carbon_footprint", type: "number", unit: "kg CO2e", access_level: "public", required: false, section: "environment" },
  { key: "expected_lifetime", type: "integer", unit: "year", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "warranty_months", type: "integer", unit: "month", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: false, section: "repair" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "svhc_present", type: "boolean", unit: null, access_level: "public", required: false, section: "substances" },
  { key: "user_manual", type: "url", unit: null, access_level: "public", required: false, section: "use" },
  { key: "safety_information", type: "text", unit: null, access_level: "public", required: false, section: "use" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "declaration_of_conformity", type: "url", unit: null, access_level: "public", required: false, section: "compliance" },
  { key: "supply_chain_actors", type: "list", unit: null, access_level: "restricted", required: false, section: "supply_chain", members: [{ key: "tier", type: "integer", minimum: 0 }, { key: "name", type: "string" }, { key: "role", type: "string" }, { key: "location", type: "string" }, { key: "country", type: "country_code" }] },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "above", limit: 0, fields: ["product_weight"], blocks: true },
  { kind: "below", limit: 100, fields: ["expected_lifetime", "spare_parts_years"] },
  { kind: "below", limit: 1200, fields: ["warranty_months"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", by: "part", fields: ["material_composition.share"] },
] };

/** The template `footwear`: Footwear. */
export const footwear: Template<'footwear'> = { key: 'footwear', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: true, section: "supply_chain" },
  { key: "upper_material", type: "string", unit: null, access_level: "public", required: true, section: "composition" },
  { key: "lining_material", type: "string", unit: null, access_level: "public", required: true, section: "composition" },
  { key: "outer_sole_material", type: "string", unit: null, access_level: "public", required: true, section: "composition" },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "carbon_footprint", type: "number", unit: "kg CO2e", access_level: "public", required: false, section: "environment" },
  { key: "care_instructions", type: "text", unit: null, access_level: "public", required: false, section: "use" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `furniture`: Furniture. */
export const furniture: Template<'furniture'> = { key: 'furniture', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: true, section: "supply_chain" },
  { key: "furniture_type", type: "enum", unit: null, access_level: "public", required: true, section: "identification", options: ["chair", "table", "sofa", "bed", "cabinet", "shelf", "desk", "other"] },
  { key: "material_composition", type: "list", unit: null, access_level: "public", required: true, section: "composition", members: [{ key: "part", type: "string" }, { key: "material", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "wood_origin", type: "list", unit: null, access_level: "restricted", required: false, section: "supply_chain", members: [{ key: "species", type: "string" }, { key: "country", type: "country_code" }] },
  { key: "formaldehyde_emission", type: "number", unit: "mg/m3", minimum: 0, access_level: "public", required: false, section: "substances" },
  { key: "durability_standard", type: "string", unit: null, access_level: "public", required: false, section: "durability" },
  { key: "maximum_load", type: "number", unit: "kg", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: false, section: "repair" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "below", limit: 100, fields: ["spare_parts_years"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", by: "part", fields: ["material_composition.share"] },
] };

/** The template `mattress`: Mattresses. */
export const mattress: Template<'mattress'> = { key: 'mattress', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: true, section: "supply_chain" },
  { key: "core_type", type: "enum", unit: null, access_level: "public", required: true, section: "composition", options: ["foam", "latex", "springs", "hybrid", "other"] },
  { key: "foam_density", type: "number", unit: "kg/m3", minimum: 0, access_level: "public", required: false, section: "composition" },
  { key: "firmness", type: "string", unit: null, access_level: "public", required: false, section: "performance" },
  { key: "cover_removable", type: "boolean", unit: null, access_level: "public", required: true, section: "repair" },
  { key: "cover_material", type: "list", unit: null, access_level: "public", required: true, section: "composition", items: { type: "string" }, members: [{ key: "fibre", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "carbon_footprint", type: "number", unit: "kg CO2e", access_level: "public", required: false, section: "environment" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "take_back_scheme", type: "text", unit: null, access_level: "public", required: false, section: "end_of_life" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", fields: ["cover_material.share"] },
] };

/** The template `steel`: Iron and steel. */
export const steel: Template<'steel'> = { key: 'steel', version: 3, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "steel_grade", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "product_form", type: "enum", unit: null, access_level: "public", required: true, section: "identification", options: ["flat", "long", "tube", "wire", "other"] },
  { key: "heat_number", type: "string", unit: null, access_level: "restricted", required: false, section: "identification" },
  { key: "production_route", type: "enum", unit: null, access_level: "public", required: true, section: "environment", options: ["blast_furnace", "electric_arc", "direct_reduction"] },
  { key: "carbon_footprint_per_tonne", type: "number", unit: "t CO2e/t", access_level: "public", required: true, section: "environment" },
  { key: "scrap_content", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "composition" },
  { key: "yield_strength", type: "number", unit: "MPa", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "tensile_strength", type: "number", unit: "MPa", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "chemical_composition", type: "object", unit: "%", access_level: "restricted", required: false, section: "composition", items: { type: "number", minimum: 0, maximum: 100 } },
  { key: "inspection_certificate", type: "url", unit: null, access_level: "restricted", required: false, section: "compliance" },
  { key: "commodity_code", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: true, section: "supply_chain" },
  { key: "embedded_emissions", type: "number", unit: "t CO2e/t", access_level: "authority", required: false, section: "environment" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: false, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
] };

/** The template `aluminium`: Aluminium. */
export const aluminium: Template<'aluminium'> = { key: 'aluminium', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "alloy_designation", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "temper", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "production_route", type: "enum", unit: null, access_level: "public", required: true, section: "environment", options: ["primary", "secondary", "mixed"] },
  { key: "carbon_footprint_per_tonne", type: "number", unit: "t CO2e/t", access_level: "public", required: true, section: "environment" },
  { key: "recycled_content_pre_consumer", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "recycled_content_post_consumer", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "composition" },
  { key: "chemical_composition", type: "object", unit: "%", access_level: "restricted", required: false, section: "composition", items: { type: "number", minimum: 0, maximum: 100 } },
  { key: "smelter_origin", type: "country_code", unit: null, access_level: "restricted", required: false, section: "supply_chain" },
  { key: "commodity_code", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: true, section: "supply_chain" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
] };

/** The template `detergent`: Detergents. */
export const detergent: Template<'detergent'> = { key: 'detergent', version: 2, scans: false, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "detergent_type", type: "enum", unit: null, access_level: "public", required: true, section: "identification", options: ["laundry", "dishwashing", "surface", "surfactant", "other"] },
  { key: "ingredient_classes", type: "list", unit: null, access_level: "public", required: true, section: "composition", items: { type: "string" } },
  { key: "ingredient_datasheet", type: "url", unit: null, access_level: "authority", required: false, section: "composition" },
  { key: "fragrance_allergens", type: "list", unit: null, access_level: "public", required: true, section: "substances", items: { type: "string" } },
  { key: "surfactant_biodegradability", type: "boolean", unit: null, access_level: "public", required: true, section: "environment" },
  { key: "dosage_instructions", type: "text", unit: null, access_level: "public", required: true, section: "use" },
  { key: "phosphorus_content", type: "number", unit: "g", minimum: 0, access_level: "public", required: false, section: "environment" },
  { key: "ufi", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "hazard_statements", type: "list", unit: null, access_level: "public", required: false, section: "substances", items: { type: "string", code: true }, members: [{ key: "code", type: "string" }, { key: "text", type: "text" }] },
  { key: "commodity_code", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "safety_data_sheet", type: "url", unit: null, access_level: "public", required: false, section: "use" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
] };

/** The template `toy`: Toys. */
export const toy: Template<'toy'> = { key: 'toy', version: 3, scans: false, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "age_group", type: "string", unit: null, access_level: "public", required: true, section: "use" },
  { key: "safety_warnings", type: "list", unit: null, access_level: "public", required: true, section: "use", items: { type: "string" } },
  { key: "ce_marking", type: "boolean", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "harmonised_standards", type: "list", unit: null, access_level: "public", required: true, section: "compliance", items: { type: "string" } },
  { key: "primary_materials", type: "list", unit: null, access_level: "public", required: false, section: "composition", items: { type: "string" }, members: [{ key: "part", type: "string" }, { key: "material", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "fragrance_allergens", type: "list", unit: null, access_level: "public", required: false, section: "substances", items: { type: "string" } },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "notified_body", type: "string", unit: null, access_level: "public", required: false, section: "compliance" },
  { key: "commodity_code", type: "string", unit: null, access_level: "public", required: false, section: "identification" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: true, section: "compliance" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: false, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", by: "part", fields: ["primary_materials.share"] },
] };

/** The template `construction`: Construction products. */
export const construction: Template<'construction'> = { key: 'construction', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "product_family", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "intended_use", type: "text", unit: null, access_level: "public", required: true, section: "use" },
  { key: "declaration_of_performance", type: "url", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "harmonised_standard", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "fire_class", type: "string", unit: null, access_level: "public", required: false, section: "performance" },
  { key: "thermal_conductivity", type: "number", unit: "W/(m·K)", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "gwp_total", type: "number", unit: "kg CO2e", access_level: "public", required: true, section: "environment" },
  { key: "declared_unit", type: "string", unit: null, access_level: "public", required: true, section: "environment" },
  { key: "epd", type: "url", unit: null, access_level: "public", required: false, section: "environment" },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
  { key: "test_reports", type: "url", unit: null, access_level: "authority", required: false, section: "compliance" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `tablet`: Tablets. */
export const tablet: Template<'tablet'> = { key: 'tablet', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "eprel_registration_number", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "energy_efficiency_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E", "F", "G"] },
  { key: "battery_endurance_per_cycle", type: "number", unit: "h", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "battery_endurance_cycles", type: "integer", unit: "cycle", minimum: 0, access_level: "public", required: true, section: "durability" },
  { key: "free_fall_class", type: "enum", unit: null, access_level: "public", required: true, section: "durability", options: ["A", "B", "C", "D", "E"] },
  { key: "repairability_class", type: "enum", unit: null, access_level: "public", required: true, section: "repair", options: ["A", "B", "C", "D", "E"] },
  { key: "os_update_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: true, section: "durability" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: true, section: "repair" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "weee_category", type: "enum", unit: null, access_level: "public", required: false, section: "end_of_life", options: ["1", "2", "3", "4", "5", "6"] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "below", limit: 100, fields: ["os_update_years", "spare_parts_years"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `display`: Electronic displays. */
export const display: Template<'display'> = { key: 'display', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "eprel_registration_number", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "energy_efficiency_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E", "F", "G"] },
  { key: "screen_diagonal", type: "number", unit: "cm", minimum: 0, access_level: "public", required: true, section: "identification" },
  { key: "power_on_mode", type: "number", unit: "W", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "standby_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: true, section: "repair" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "weee_category", type: "enum", unit: null, access_level: "public", required: false, section: "end_of_life", options: ["1", "2", "3", "4", "5", "6"] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "below", limit: 100, fields: ["spare_parts_years"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `washing_machine`: Washing machines. */
export const washing_machine: Template<'washing_machine'> = { key: 'washing_machine', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "eprel_registration_number", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "energy_efficiency_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E", "F", "G"] },
  { key: "load_capacity", type: "number", unit: "kg", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "energy_per_100_cycles", type: "number", unit: "kWh", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "water_per_cycle", type: "number", unit: "L", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "spin_noise", type: "number", unit: "dB(A)", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: true, section: "repair" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "weee_category", type: "enum", unit: null, access_level: "public", required: false, section: "end_of_life", options: ["1", "2", "3", "4", "5", "6"] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "below", limit: 100, fields: ["spare_parts_years"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `refrigerator`: Refrigerating appliances. */
export const refrigerator: Template<'refrigerator'> = { key: 'refrigerator', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "eprel_registration_number", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "energy_efficiency_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E", "F", "G"] },
  { key: "annual_energy_consumption", type: "number", unit: "kWh", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "total_volume", type: "number", unit: "L", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "refrigerant", type: "string", unit: null, access_level: "public", required: false, section: "substances" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: true, section: "repair" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "weee_category", type: "enum", unit: null, access_level: "public", required: false, section: "end_of_life", options: ["1", "2", "3", "4", "5", "6"] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "below", limit: 100, fields: ["spare_parts_years"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `dishwasher`: Dishwashers. */
export const dishwasher: Template<'dishwasher'> = { key: 'dishwasher', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "eprel_registration_number", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "energy_efficiency_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E", "F", "G"] },
  { key: "energy_per_100_cycles", type: "number", unit: "kWh", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "water_per_cycle", type: "number", unit: "L", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "place_settings", type: "integer", unit: null, minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "spare_parts_years", type: "integer", unit: "year", minimum: 0, access_level: "public", required: true, section: "repair" },
  { key: "repair_instructions", type: "url", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: false, section: "repair" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "weee_category", type: "enum", unit: null, access_level: "public", required: false, section: "end_of_life", options: ["1", "2", "3", "4", "5", "6"] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "below", limit: 100, fields: ["spare_parts_years"] },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `lighting`: Light sources. */
export const lighting: Template<'lighting'> = { key: 'lighting', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "eprel_registration_number", type: "string", unit: null, access_level: "public", required: true, section: "compliance" },
  { key: "energy_efficiency_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A", "B", "C", "D", "E", "F", "G"] },
  { key: "luminous_flux", type: "number", unit: "lm", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "on_mode_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "colour_temperature", type: "integer", unit: "K", access_level: "public", required: true, section: "performance" },
  { key: "lifetime_l70b50", type: "integer", unit: "h", minimum: 0, access_level: "public", required: false, section: "durability" },
  { key: "replaceable_light_source", type: "boolean", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "rohs_compliant", type: "boolean", unit: null, access_level: "public", required: false, section: "substances" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
] };

/** The template `charger`: External power supplies. */
export const charger: Template<'charger'> = { key: 'charger', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "input_voltage", type: "string", unit: "V", access_level: "public", required: true, section: "performance" },
  { key: "output_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "average_active_efficiency", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "performance" },
  { key: "efficiency_10_load", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "performance" },
  { key: "no_load_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "usb_pd_ports", type: "integer", unit: null, minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "detachable_cable", type: "boolean", unit: null, access_level: "public", required: true, section: "repair" },
  { key: "rohs_compliant", type: "boolean", unit: null, access_level: "public", required: false, section: "substances" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `server`: Servers and storage. */
export const server: Template<'server'> = { key: 'server', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "model_identifier", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "server_type", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "psu_efficiency_50", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: true, section: "performance" },
  { key: "idle_power", type: "number", unit: "W", minimum: 0, access_level: "public", required: true, section: "performance" },
  { key: "operating_condition_class", type: "enum", unit: null, access_level: "public", required: true, section: "performance", options: ["A1", "A2", "A3", "A4"] },
  { key: "secure_data_deletion", type: "boolean", unit: null, access_level: "public", required: true, section: "use" },
  { key: "firmware_availability", type: "text", unit: null, access_level: "public", required: false, section: "repair" },
  { key: "critical_raw_materials", type: "list", unit: null, access_level: "restricted", required: false, section: "composition", items: { type: "string" }, members: [{ key: "material", type: "string" }, { key: "mass", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: true, section: "repair" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "total", fields: ["critical_raw_materials.share"] },
] };

/** The template `paint`: Paints and coatings. */
export const paint: Template<'paint'> = { key: 'paint', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "paint_category", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "voc_content", type: "number", unit: "g/L", minimum: 0, access_level: "public", required: true, section: "environment" },
  { key: "ufi", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "hazard_statements", type: "list", unit: null, access_level: "public", required: true, section: "substances", items: { type: "string", code: true }, members: [{ key: "code", type: "string" }, { key: "text", type: "text" }] },
  { key: "coverage", type: "number", unit: "m2/L", minimum: 0, access_level: "public", required: false, section: "performance" },
  { key: "biocides", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }] },
  { key: "safety_data_sheet", type: "url", unit: null, access_level: "public", required: true, section: "use" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas", "biocides.cas"], blocks: true },
] };

/** The template `lubricant`: Lubricants. */
export const lubricant: Template<'lubricant'> = { key: 'lubricant', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "lubricant_type", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "viscosity_grade", type: "string", unit: null, access_level: "public", required: true, section: "performance" },
  { key: "biobased_content", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "biodegradability", type: "string", unit: null, access_level: "public", required: false, section: "environment" },
  { key: "rerefined_oil_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "safety_data_sheet", type: "url", unit: null, access_level: "public", required: true, section: "use" },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
] };

/** The template `jewellery`: Jewellery. */
export const jewellery: Template<'jewellery'> = { key: 'jewellery', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: true, section: "supply_chain" },
  { key: "precious_metal_fineness", type: "string", unit: null, access_level: "public", required: true, section: "composition" },
  { key: "metal_weight", type: "number", unit: "g", minimum: 0, access_level: "public", required: true, section: "composition" },
  { key: "gemstones", type: "list", unit: null, access_level: "public", required: false, section: "composition", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "mass", type: "number", minimum: 0 }, { key: "country", type: "country_code" }] },
  { key: "recycled_metal_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "responsible_sourcing", type: "url", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "nickel_release", type: "boolean", unit: null, access_level: "public", required: true, section: "substances" },
  { key: "supply_chain_actors", type: "list", unit: null, access_level: "restricted", required: false, section: "supply_chain", members: [{ key: "tier", type: "integer", minimum: 0 }, { key: "name", type: "string" }, { key: "role", type: "string" }, { key: "location", type: "string" }, { key: "country", type: "country_code" }] },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "above", limit: 0, fields: ["metal_weight"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
] };

/** The template `cosmetic`: Cosmetics. */
export const cosmetic: Template<'cosmetic'> = { key: 'cosmetic', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "country_of_origin", type: "country_code", unit: null, access_level: "public", required: false, section: "supply_chain" },
  { key: "nominal_content", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "inci_ingredients", type: "list", unit: null, access_level: "public", required: true, section: "composition", items: { type: "string" } },
  { key: "period_after_opening", type: "integer", unit: "month", minimum: 0, access_level: "public", required: true, section: "use" },
  { key: "cpnp_reference", type: "string", unit: null, access_level: "authority", required: false, section: "compliance" },
  { key: "safety_information", type: "text", unit: null, access_level: "public", required: true, section: "use" },
  { key: "packaging_recyclability", type: "string", unit: null, access_level: "public", required: false, section: "end_of_life" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
] };

/** The template `vehicle_part`: Automotive components. */
export const vehicle_part: Template<'vehicle_part'> = { key: 'vehicle_part', version: 2, fields: [
  { key: "manufacturer_name", type: "string", unit: null, access_level: "public", required: true, section: "economic_operator" },
  { key: "manufacturer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "manufacturer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_name", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_address", type: "string", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "importer_contact", type: "contact", unit: null, access_level: "public", required: false, section: "economic_operator" },
  { key: "part_number", type: "string", unit: null, access_level: "public", required: true, section: "identification" },
  { key: "product_weight", type: "number", unit: "kg", minimum: 0, access_level: "public", required: true, section: "composition" },
  { key: "material_composition", type: "list", unit: null, access_level: "restricted", required: false, section: "composition", members: [{ key: "part", type: "string" }, { key: "material", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "recycled_content_share", type: "number", unit: "%", minimum: 0, maximum: 100, access_level: "public", required: false, section: "composition" },
  { key: "carbon_footprint", type: "number", unit: "kg CO2e", access_level: "public", required: false, section: "environment" },
  { key: "critical_raw_materials", type: "list", unit: null, access_level: "restricted", required: false, section: "composition", items: { type: "string" }, members: [{ key: "material", type: "string" }, { key: "mass", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "substances_of_concern", type: "list", unit: null, access_level: "restricted", required: false, section: "substances", items: { type: "string" }, members: [{ key: "name", type: "string" }, { key: "cas", type: "string" }, { key: "location", type: "string" }, { key: "share", type: "number", unit: "%", minimum: 0, maximum: 100 }] },
  { key: "disassembly_instructions", type: "url", unit: null, access_level: "restricted", required: true, section: "repair" },
  { key: "remanufacturable", type: "boolean", unit: null, access_level: "public", required: false, section: "end_of_life" },
  { key: "recycling_instructions", type: "text", unit: null, access_level: "public", required: true, section: "end_of_life" },
], rules: [
  { kind: "placeholder", fields: ["*"], blocks: true },
  { kind: "above", limit: 0, fields: ["product_weight"], blocks: true },
  { kind: "contact", fields: ["manufacturer_contact", "importer_contact"] },
  { kind: "cas", fields: ["substances_of_concern.cas"], blocks: true },
  { kind: "total", by: "part", fields: ["material_composition.share"] },
  { kind: "total", fields: ["critical_raw_materials.share"] },
] };

/** The template of each product group, and `undefined` for any other text. */
export type Templates = { readonly [Group in keyof Fields]: Template<Group> } & {
  readonly [group: string]: Template | undefined;
};

/** All templates, by their key: for programs that read the group from a product. They bundle every template. */
export const templates: Templates = {
  textile,
  battery,
  smartphone,
  computer,
  cable,
  motor,
  tyre,
  packaging,
  chemical,
  other,
  footwear,
  furniture,
  mattress,
  steel,
  aluminium,
  detergent,
  toy,
  construction,
  tablet,
  display,
  washing_machine,
  refrigerator,
  dishwasher,
  lighting,
  charger,
  server,
  paint,
  lubricant,
  jewellery,
  cosmetic,
  vehicle_part,
};

/** The types of the values, by group and field. */
export interface Fields {
  textile: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. */
    model_identifier: string;
    /** Country of manufacture. Required. */
    country_of_origin: string;
    /** Fibre composition. Required. */
    fibre_composition: readonly Members<{ fibre: string; share: Measure }>[];
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Care instructions. Required. */
    care_instructions: string;
    /** Garment weight, in g, at least 0. */
    garment_weight: number;
    /** Country of weaving or knitting. */
    country_of_weaving: string;
    /** Country of dyeing or printing. */
    country_of_dyeing: string;
    /** Supply chain actors. Companies that took part in making the product, with their task. Access level: `restricted`. */
    supply_chain_actors: readonly Members<{ tier: number; name: string; role: string; location: string; country: string }>[];
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Microfibre release in washing, in mg/kg, at least 0. Fibres that one kilogram of the fabric loses in a wash. */
    microfibre_release: number;
    /** Pilling resistance, in grade, 1 to 5. How little the fabric forms small balls when rubbed: 1 (many) to 5 (none). */
    pilling_grade: number;
    /** Abrasion resistance, in cycle, at least 0. Rubs in a machine until threads break (Martindale test). */
    abrasion_cycles: number;
    /** Colour fastness to washing, in grade, 1 to 5. How well the colour lasts in the wash: 1 (poor) to 5 (very good). */
    colour_fastness_washing: number;
    /** Dimensional change after washing, in %. How much length and width change in the wash. A minus means that the product shrinks. */
    dimensional_stability: number;
    /** Expected wash cycles, in cycle, at least 0. */
    expected_wash_cycles: number;
    /** Carbon footprint, in kg CO2e. Greenhouse gases of one product, expressed as the amount of CO2 with the same effect. */
    carbon_footprint: number;
    /** Water consumption in production, in L, at least 0. */
    water_consumption: number;
    /** Certifications and labels. */
    certifications: readonly string[];
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
    /** Test reports. Access level: `authority`. */
    test_reports: string;
  };
  battery: {
    /** Manufacturer name. Required. */
    manufacturer_name: string;
    /** Manufacturer postal address. Required. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Responsible for the battery passport. The business that registers the passport and is responsible for it. Required. */
    operator_name: string;
    /** Identifier of the responsible operator. */
    operator_identifier: Members<{ scheme: string; number: string }>;
    /** Battery category. What the battery is built for. The category decides which rules apply to it. Required. */
    battery_category: "portable" | "sli" | "lmt" | "ev" | "industrial";
    /** Unique battery passport identifier. Required. */
    battery_passport_id: string;
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** Serial number. Required. */
    serial_number: string;
    /** Place of manufacture. Required. */
    manufacturing_place: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Date of manufacture. Required. */
    manufacturing_date: string;
    /** Battery weight, in kg, at least 0. Required. */
    battery_weight: number;
    /** Battery chemistry. Materials of the electrodes. They decide how the battery is recycled. Required. */
    battery_chemistry: string;
    /** Hazardous substances. Required. */
    hazardous_substances: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Usable extinguishing agent. What a fire brigade may use if the battery burns. Required. */
    extinguishing_agent: string;
    /** Critical raw materials above 0.1%. Materials that the EU needs and can hardly replace, such as cobalt and lithium. Required. */
    critical_raw_materials: readonly (string | Members<{ material: string; mass: string; location: string; share: Measure }>)[];
    /** Carbon footprint, in kg CO2e/kWh. Greenhouse gases per kilowatt-hour that the battery delivers in its whole life. */
    carbon_footprint_total: number;
    /** Carbon footprint performance class. Compares the carbon footprint with that of other batteries of the same kind. */
    carbon_footprint_class: string;
    /** Due diligence report. How the maker looks for risks to people and nature where raw materials are mined. */
    due_diligence_report: string;
    /** Recycled cobalt share, in %, 0 to 100. */
    recycled_content_cobalt: number;
    /** Recycled lithium share, in %, 0 to 100. */
    recycled_content_lithium: number;
    /** Recycled nickel share, in %, 0 to 100. */
    recycled_content_nickel: number;
    /** Recycled lead share, in %, 0 to 100. */
    recycled_content_lead: number;
    /** Renewable content share, in %, 0 to 100. Share of material from sources that grow again, such as plants. Required. */
    renewable_content_share: number;
    /** Rated capacity, in Ah, at least 0. Electric charge that the full battery delivers when it is new. Required. */
    rated_capacity: number;
    /** Minimum voltage, in V, at least 0. Required. */
    minimum_voltage: number;
    /** Nominal voltage, in V, at least 0. Required. */
    nominal_voltage: number;
    /** Maximum voltage, in V, at least 0. Required. */
    maximum_voltage: number;
    /** Lowest temperature for the voltages, in °C. The voltages apply between the lowest and the highest of these temperatures. */
    voltage_temperature_minimum: number;
    /** Highest temperature for the voltages, in °C. The voltages apply between the lowest and the highest of these temperatures. */
    voltage_temperature_maximum: number;
    /** Original power capability, in W, at least 0. Required. */
    original_power_capability: number;
    /** Maximum permitted power, in W, at least 0. Required. */
    maximum_permitted_power: number;
    /** Lowest temperature for the power, in °C. The power applies between the lowest and the highest of these temperatures. */
    power_temperature_minimum: number;
    /** Highest temperature for the power, in °C. The power applies between the lowest and the highest of these temperatures. */
    power_temperature_maximum: number;
    /** Expected lifetime in cycles, in cycle, at least 0. Full charges and discharges that the battery is expected to last. */
    expected_lifetime_cycles: number;
    /** Reference test for the lifetime in cycles. */
    cycle_life_reference_test: string;
    /** Capacity threshold for exhaustion, in %, 0 to 100. Below this share of its first capacity the battery counts as used up. */
    capacity_threshold_exhaustion: number;
    /** Lowest temperature when not in use, in °C. Required. */
    idle_temperature_minimum: number;
    /** Highest temperature when not in use, in °C. Required. */
    idle_temperature_maximum: number;
    /** Reference test for the temperatures when not in use. */
    idle_temperature_reference_test: string;
    /** Commercial warranty period, in month, at least 0. */
    warranty_months: number;
    /** Initial round-trip energy efficiency, in %, 0 to 100. Share of the energy charged into the new battery that it gives back. */
    round_trip_efficiency: number;
    /** Round-trip energy efficiency at 50% of the cycle life, in %, 0 to 100. Share of the charged energy that the battery gives back after half of its cycles. */
    round_trip_efficiency_at_half_cycle_life: number;
    /** Internal resistance of the battery cell, in Ω, at least 0. The lower it is, the less energy turns into heat. Required. */
    internal_resistance_cell: number;
    /** Internal resistance of the battery pack, in Ω, at least 0. The lower it is, the less energy turns into heat. Required. */
    internal_resistance_pack: number;
    /** C-rate of the cycle-life test, in A/Ah, at least 0. Current of the test in relation to the capacity of the battery. */
    cycle_life_test_c_rate: number;
    /** Separate collection marking. The crossed-out bin: the battery must not go into household waste. Required. */
    separate_collection_symbol: boolean;
    /** Chemical symbols for cadmium and lead. Marks of batteries with more than 0.002% cadmium (Cd) or 0.004% lead (Pb). */
    cadmium_lead_symbol: "cd" | "pb" | "cd_and_pb" | "none";
    /** EU declaration of conformity. The maker's statement that the product meets the EU's rules for it. Required. */
    declaration_of_conformity: string;
    /** Waste prevention and collection information. Required. */
    waste_battery_information: string;
    /** Instructions for use. */
    instructions_for_use: string;
    /** Cathode, anode and electrolyte composition. Materials that store the charge and carry it between the poles. Required. Access level: `restricted`. */
    active_material_composition: readonly Members<{ part: string; material: string; share: Measure }>[];
    /** Part numbers of the components. Required. Access level: `restricted`. */
    spare_part_numbers: readonly (string | Members<{ part: string; number: string }>)[];
    /** Sources of spare parts. Required. Access level: `restricted`. */
    spare_part_sources: readonly Members<{ name: string; address: string; email: string; url: string }>[];
    /** Dismantling information. Required. Access level: `restricted`. */
    dismantling_information: string;
    /** Safety measures. Required. Access level: `restricted`. */
    safety_measures: string;
    /** Test reports. Required. Access level: `authority`. */
    test_reports: string;
    /** State measured on. Day of the values that change during use, such as the remaining capacity. Access level: `restricted`. */
    state_measured_on: string;
    /** State of certified energy (SOCE), in %, at least 0. Usable energy of the battery now, as a share of the certified energy. Access level: `restricted`. */
    state_of_certified_energy: number;
    /** Remaining capacity, in Ah, at least 0. Electric charge that the full battery delivers now. Access level: `restricted`. */
    remaining_capacity: number;
    /** Capacity fade, in %. Access level: `restricted`. */
    capacity_fade: number;
    /** Remaining power capability, in W, at least 0. Access level: `restricted`. */
    remaining_power_capability: number;
    /** Power fade, in %. Access level: `restricted`. */
    power_fade: number;
    /** Present internal resistance, in Ω, at least 0. Access level: `restricted`. */
    current_internal_resistance: number;
    /** Internal resistance increase, in %. Compared with the new battery. It may be more than 100%. Access level: `restricted`. */
    internal_resistance_increase: number;
    /** Remaining round-trip energy efficiency, in %, 0 to 100. Access level: `restricted`. */
    remaining_round_trip_efficiency: number;
    /** Round-trip energy efficiency fade, in %. Access level: `restricted`. */
    round_trip_efficiency_fade: number;
    /** Evolution of the self-discharge rate, in %. How much faster the unused battery loses its charge than when it was new. Access level: `restricted`. */
    self_discharge_evolution: number;
    /** Expected lifetime in years, in year, at least 0. Access level: `restricted`. */
    expected_lifetime_years: number;
    /** Battery status. Whether the battery is in its first use, reused, repurposed or waste. Required. Access level: `restricted`. */
    battery_status: "original" | "repurposed" | "reused" | "remanufactured" | "waste";
    /** Full equivalent charge cycles, in cycle, at least 0. Charge used so far, counted in full charges. Access level: `restricted`. */
    charge_cycles: number;
    /** Negative events. What may have damaged the battery, such as accidents. Access level: `restricted`. */
    negative_events: readonly Members<{ date: string; event: string }>[];
    /** Recorded operating conditions. Access level: `restricted`. */
    operating_conditions: readonly Members<{ date: string; condition: string; temperature: Measure }>[];
    /** Recorded state of charge. Access level: `restricted`. */
    state_of_charge_records: readonly Members<{ date: string; state_of_charge: Measure }>[];
  };
  smartphone: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** EPREL registration number. Finds the product in EPREL, the EU's database of energy labels. Required. */
    eprel_registration_number: string;
    /** Energy efficiency class. Class on the EU energy label: A is the most efficient. Required. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Battery endurance per cycle, in h, at least 0. Hours of use with one full charge, measured by the rules of the EU label. Required. */
    battery_endurance_per_cycle: number;
    /** Battery endurance in cycles, in cycle, at least 0. Full charges after which the battery still has 80% of its capacity. Required. */
    battery_endurance_cycles: number;
    /** Repeated free fall reliability class. How many falls from one metre the device survives: A is best. Required. */
    free_fall_class: "A" | "B" | "C" | "D" | "E";
    /** Repairability class. How easily the device can be repaired: A is best. Required. */
    repairability_class: "A" | "B" | "C" | "D" | "E";
    /** Ingress protection rating. Protection of the housing: the first digit against dust, the second against water. Required. */
    ip_rating: string;
    /** Rated battery capacity, in mAh, at least 0. */
    rated_battery_capacity: number;
    /** User-replaceable battery. */
    battery_user_replaceable: boolean;
    /** Operating system update support, in year, at least 0. Years of updates after the last device of the model was sold. Required. */
    os_update_years: number;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. Required. */
    spare_parts_years: number;
    /** Spare parts delivery time, in day, at least 0. */
    spare_parts_delivery_days: number;
    /** Chargeable via USB-C. */
    usb_c_charging: boolean;
    /** Specific absorption rate, in W/kg, at least 0. Radio energy that the body absorbs when the device is used. */
    sar_value: number;
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Critical raw materials. Materials that the EU needs and can hardly replace, such as cobalt and lithium. Access level: `restricted`. */
    critical_raw_materials: readonly (string | Members<{ material: string; mass: string; location: string; share: Measure }>)[];
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Carbon footprint, in kg CO2e. Greenhouse gases of one product, expressed as the amount of CO2 with the same effect. */
    carbon_footprint: number;
    /** Repair information. Required. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** EU declaration of conformity. The maker's statement that the product meets the EU's rules for it. */
    declaration_of_conformity: string;
    /** Test reports. Access level: `authority`. */
    test_reports: string;
    /** WEEE category. Group of electrical waste in which the old product is collected. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  computer: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Computer type. Required. */
    computer_type: "notebook" | "tablet" | "desktop" | "integrated_desktop" | "workstation" | "thin_client";
    /** Year of manufacture, at least 1900. Required. */
    year_of_manufacture: number;
    /** Annual energy consumption (ETEC), in kWh, at least 0. Electricity that the product uses in a year, measured by the EU's method. Required. */
    annual_energy_consumption: number;
    /** Idle state power demand, in W, at least 0. Power while the device is on and does nothing. */
    idle_power: number;
    /** Sleep mode power demand, in W, at least 0. */
    sleep_power: number;
    /** Power supply efficiency at 50% load, in %, 0 to 100. Share of the power from the socket that reaches the device at half load. */
    psu_efficiency_50: number;
    /** Noise level, in dB(A), at least 0. */
    noise_level: number;
    /** Minimum battery loading cycles, in cycle, at least 0. */
    battery_loading_cycles: number;
    /** User-replaceable battery. */
    battery_user_replaceable: boolean;
    /** Software updates guaranteed until. */
    os_update_until: string;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. */
    spare_parts_years: number;
    /** Chargeable via USB-C. */
    usb_c_charging: boolean;
    /** Recycled plastic share, in %, 0 to 100. */
    recycled_plastic_share: number;
    /** RoHS compliant. The product keeps the limits for lead, mercury and other substances in electronics. */
    rohs_compliant: boolean;
    /** Critical raw materials. Materials that the EU needs and can hardly replace, such as cobalt and lithium. Access level: `restricted`. */
    critical_raw_materials: readonly (string | Members<{ material: string; mass: string; location: string; share: Measure }>)[];
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** WEEE category. Group of electrical waste in which the old product is collected. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Carbon footprint, in kg CO2e. Greenhouse gases of one product, expressed as the amount of CO2 with the same effect. */
    carbon_footprint: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** EU declaration of conformity. The maker's statement that the product meets the EU's rules for it. */
    declaration_of_conformity: string;
    /** Test reports. Access level: `authority`. */
    test_reports: string;
  };
  cable: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. */
    model_identifier: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Cable type. Required. */
    cable_type: "usb_c" | "usb_other" | "power_cord" | "data" | "installation" | "charging_ev" | "other";
    /** Connector A. Required. */
    connector_a: string;
    /** Connector B. Required. */
    connector_b: string;
    /** Cable length, in m, at least 0. Required. */
    cable_length: number;
    /** Maximum supported power, in W, at least 0. Required. */
    max_power: number;
    /** Rated current, in A, at least 0. Current that the product may carry permanently. */
    rated_current: number;
    /** Rated voltage, in V, at least 0. */
    rated_voltage: number;
    /** Maximum data rate, in Gbit/s, at least 0. */
    data_rate: number;
    /** Conductor material. */
    conductor_material: string;
    /** Conductor cross-section, in mm2, at least 0. Area of the metal in each wire. A thicker wire carries more current. */
    conductor_cross_section: number;
    /** Sheath material. */
    sheath_material: string;
    /** Halogen free. Gives off no corrosive gases with chlorine or bromine when it burns. */
    halogen_free: boolean;
    /** Reaction to fire class. How much a cable feeds a fire: Aca is best. */
    fire_reaction_class: "Aca" | "B1ca" | "B2ca" | "Cca" | "Dca" | "Eca" | "Fca";
    /** Connector mating cycles, in cycle, at least 0. How often the connector can be plugged in and out. */
    plug_cycles: number;
    /** Bending cycles, in cycle, at least 0. */
    bending_cycles: number;
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** RoHS compliant. The product keeps the limits for lead, mercury and other substances in electronics. */
    rohs_compliant: boolean;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
    /** WEEE category. Group of electrical waste in which the old product is collected. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** EU declaration of conformity. The maker's statement that the product meets the EU's rules for it. */
    declaration_of_conformity: string;
    /** Test reports. Access level: `authority`. */
    test_reports: string;
  };
  motor: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** Year of manufacture, at least 1900. Required. */
    year_of_manufacture: number;
    /** Efficiency level (IE). International class of motor efficiency: IE4 is better than IE3. Required. */
    ie_class: "IE1" | "IE2" | "IE3" | "IE4" | "IE5";
    /** Rated efficiency at 100% load, in %, 0 to 100. Required. */
    rated_efficiency_100: number;
    /** Rated efficiency at 75% load, in %, 0 to 100. Required. */
    rated_efficiency_75: number;
    /** Rated efficiency at 50% load, in %, 0 to 100. Required. */
    rated_efficiency_50: number;
    /** Power losses at seven operating points, in %. Power lost to heat, at seven pairs of speed and torque. */
    power_losses: Readonly<Record<string, Measure>>;
    /** Number of poles, at least 0. Required. */
    number_of_poles: number;
    /** Rated output power, in kW, at least 0. Required. */
    rated_power: number;
    /** Rated input frequency, in Hz, at least 0. Required. */
    rated_frequency: number;
    /** Rated voltage, in V, at least 0. Required. */
    rated_voltage: number;
    /** Rated speed, in rpm, at least 0. Required. */
    rated_speed: number;
    /** Number of phases, at least 0. */
    number_of_phases: number;
    /** Operating conditions. */
    operating_conditions: string;
    /** Motor weight, in kg, at least 0. */
    motor_weight: number;
    /** Permanent magnet type. Strong permanent magnets may contain rare earths, which can be recovered. */
    magnet_type: "none" | "NdFeB" | "SmCo" | "AlNiCo" | "ferrite";
    /** Magnet weight, location and composition. Access level: `restricted`. */
    magnet_details: Members<{ mass: Measure; location: string; material: string }>;
    /** Recycled share in magnets, in %, 0 to 100. */
    magnet_recycled_share: number;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Carbon footprint, in kg CO2e. Greenhouse gases of one product, expressed as the amount of CO2 with the same effect. */
    carbon_footprint: number;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
    /** EU declaration of conformity. The maker's statement that the product meets the EU's rules for it. */
    declaration_of_conformity: string;
    /** Test reports. Access level: `authority`. */
    test_reports: string;
  };
  tyre: {
    /** Manufacturer name. Required. */
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
    /** Tyre type identifier. Required. */
    tyre_type_identifier: string;
    /** EPREL registration number. Finds the product in EPREL, the EU's database of energy labels. Required. */
    eprel_registration_number: string;
    /** Tyre size designation. Required. */
    tyre_size: string;
    /** Tyre class. C1: cars, C2: vans, C3: lorries and buses. Required. */
    tyre_class: "C1" | "C2" | "C3";
    /** Load-capacity index. Code for the highest load of one tyre, for example 91 for 615 kg. Required. */
    load_index: string;
    /** Speed category symbol. Code for the highest speed of the tyre, for example V for 240 km/h. Required. */
    speed_symbol: string;
    /** Fuel efficiency class. How little the tyre resists rolling: A saves the most fuel or electricity. Required. */
    fuel_efficiency_class: "A" | "B" | "C" | "D" | "E";
    /** Wet grip class. How soon the vehicle stops on a wet road: A is best. Required. */
    wet_grip_class: "A" | "B" | "C" | "D" | "E";
    /** External rolling noise class. Noise outside the vehicle: A is quietest. Required. */
    rolling_noise_class: "A" | "B" | "C";
    /** External rolling noise, in dB, at least 0. Required. */
    rolling_noise_db: number;
    /** Severe snow tyre (3PMSF). The tyre has the sign of a mountain with a snowflake and is made for hard winters. Required. */
    snow_grip: boolean;
    /** Ice grip tyre. */
    ice_grip: boolean;
    /** Rolling resistance coefficient, in N/kN, at least 0. Force that slows the rolling tyre, per load. Less saves energy. */
    rolling_resistance: number;
    /** Start of production. */
    production_start: string;
    /** Tyre abrasion rate, in mg/km, at least 0. Rubber that the tyre loses on each kilometre. */
    abrasion_rate: number;
    /** Expected mileage, in km, at least 0. */
    expected_mileage: number;
    /** Retreadable. A worn tyre can get a new tread and be used again. */
    retreadable: boolean;
    /** Natural rubber share, in %, 0 to 100. */
    natural_rubber_share: number;
    /** Natural rubber deforestation-free. The rubber comes from land where no forest was cut down after 2020. */
    deforestation_free: boolean;
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Supply chain actors. Companies that took part in making the product, with their task. Access level: `restricted`. */
    supply_chain_actors: readonly Members<{ tier: number; name: string; role: string; location: string; country: string }>[];
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
    /** Test reports. Access level: `authority`. */
    test_reports: string;
  };
  packaging: {
    /** Manufacturer name. Required. */
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
    /** Packaging type. Required. */
    packaging_type: "sales" | "grouped" | "transport" | "e_commerce" | "takeaway" | "reusable";
    /** Packaging format. Required. */
    packaging_format: string;
    /** Material composition. Required. */
    material_composition: readonly Members<{ part: string; material: string; share: Measure }>[];
    /** Packaging weight, in g, at least 0. Required. */
    packaging_weight: number;
    /** Filling volume, in mL, at least 0. */
    packaging_volume: number;
    /** Recyclability performance grade. How well the packaging can be recycled: A is best. Required. */
    recyclability_grade: "A" | "B" | "C";
    /** Post-consumer recycled plastic content, in %, 0 to 100. Share of the plastic that comes from products used by consumers. Required. */
    recycled_content_post_consumer: number;
    /** Bio-based plastic content, in %, 0 to 100. Share of the plastic that is made from plants instead of oil. */
    biobased_content: number;
    /** Compostable. Decays in an industrial composting plant. In a garden it may not. */
    compostable: boolean;
    /** Reusable packaging. Required. */
    reusable: boolean;
    /** Minimum number of rotations, at least 0. How often the packaging can at least be refilled and used again. */
    minimum_rotations: number;
    /** Reuse system. */
    reuse_system: string;
    /** Deposit and return system. */
    deposit_return: boolean;
    /** Consumer sorting instruction. Required. */
    sorting_instruction: string;
    /** Empty space ratio, in %, 0 to 100. Share of the packaging that is air or filling material. */
    empty_space_ratio: number;
    /** Food contact. Required. */
    food_contact: boolean;
    /** PFAS below the limits. PFAS are chemicals that hardly ever break down in nature. */
    pfas_below_limits: boolean;
    /** Sum of Pb, Cd, Hg and Cr(VI), in mg/kg, at least 0. Lead, cadmium, mercury and chromium(VI) together. Access level: `authority`. */
    heavy_metals_sum: number;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Producer registration number. Registration of the company that pays for collecting and recycling. */
    epr_registration_number: string;
    /** Supply chain actors. Companies that took part in making the product, with their task. Access level: `restricted`. */
    supply_chain_actors: readonly Members<{ tier: number; name: string; role: string; location: string; country: string }>[];
    /** EU declaration of conformity. The maker's statement that the product meets the EU's rules for it. Access level: `authority`. */
    declaration_of_conformity: string;
    /** Technical documentation. Access level: `authority`. */
    technical_documentation: string;
  };
  chemical: {
    /** Trade name. Required. */
    trade_name: string;
    /** Manufacturer name. Required. */
    manufacturer_name: string;
    /** Manufacturer postal address. Required. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Emergency telephone number. Required. */
    emergency_phone: string;
    /** Nominal quantity. Required. */
    nominal_quantity: string;
    /** Unique formula identifier (UFI). Tells a poison centre what the mixture contains. Required. */
    ufi: string;
    /** Signal word. “Danger” marks the more severe hazards, “Warning” the less severe ones. Required. */
    signal_word: "none" | "warning" | "danger";
    /** Hazard pictograms. Required. */
    hazard_pictograms: readonly string[];
    /** Hazard statements. Official sentences that name the hazards of the product. Required. */
    hazard_statements: readonly (string | Members<{ code: string; text: string }>)[];
    /** Precautionary statements. Official sentences that say how to avoid harm and what to do in an accident. Required. */
    precautionary_statements: readonly (string | Members<{ code: string; text: string }>)[];
    /** Safety data sheet. Document for people who work with the product. Required. */
    safety_data_sheet: string;
    /** Contains SVHC above 0.1% w/w. SVHC are substances of very high concern, such as those that cause cancer. Required. */
    svhc_present: boolean;
    /** Ingredients and concentrations. Access level: `restricted`. */
    ingredients: readonly (string | Members<{ name: string; cas: string; share: Measure }>)[];
    /** CAS number. Worldwide number of a chemical substance. Access level: `restricted`. */
    cas_number: string;
    /** REACH registration number. Number of the substance in the EU's register of chemicals. Access level: `restricted`. */
    reach_registration_number: string;
    /** Poison centre notification. Access level: `authority`. */
    poison_centre_notification: string;
    /** pH value, in pH. Below 7 is acidic, 7 is neutral, above 7 is alkaline. */
    ph_value: number;
    /** Flash point, in °C. Lowest temperature at which vapours of the liquid catch fire from a spark. */
    flash_point: number;
    /** Density, in g/cm3, at least 0. */
    density: number;
    /** VOC content, in g/L, at least 0. Solvents that evaporate into the air (volatile organic compounds). */
    voc_content: number;
    /** Biodegradability. How well bacteria break the substance down in water and soil. */
    biodegradability: string;
    /** Storage conditions. */
    storage_conditions: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
    /** Supply chain actors. Companies that took part in making the product, with their task. Access level: `restricted`. */
    supply_chain_actors: readonly Members<{ tier: number; name: string; role: string; location: string; country: string }>[];
    /** Test reports. Access level: `authority`. */
    test_reports: string;
  };
  other: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. */
    model_identifier: string;
    /** Commodity code (CN/TARIC). Number that customs use for this kind of goods. */
    commodity_code: string;
    /** Country of manufacture. Required. */
    country_of_origin: string;
    /** Product description. Required. */
    product_description: string;
    /** Product weight, in kg, at least 0. */
    product_weight: number;
    /** Material composition. */
    material_composition: readonly Members<{ part: string; material: string; share: Measure }>[];
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Carbon footprint, in kg CO2e. Greenhouse gases of one product, expressed as the amount of CO2 with the same effect. */
    carbon_footprint: number;
    /** Expected lifetime, in year, at least 0. */
    expected_lifetime: number;
    /** Commercial warranty period, in month, at least 0. */
    warranty_months: number;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Contains SVHC above 0.1% w/w. SVHC are substances of very high concern, such as those that cause cancer. */
    svhc_present: boolean;
    /** User manual. */
    user_manual: string;
    /** Warnings and safety information. */
    safety_information: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
    /** EU declaration of conformity. The maker's statement that the product meets the EU's rules for it. */
    declaration_of_conformity: string;
    /** Supply chain actors. Companies that took part in making the product, with their task. Access level: `restricted`. */
    supply_chain_actors: readonly Members<{ tier: number; name: string; role: string; location: string; country: string }>[];
    /** Test reports. Access level: `authority`. */
    test_reports: string;
  };
  footwear: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. */
    model_identifier: string;
    /** Country of manufacture. Required. */
    country_of_origin: string;
    /** Upper material. Required. */
    upper_material: string;
    /** Lining and sock material. Required. */
    lining_material: string;
    /** Outer sole material. Required. */
    outer_sole_material: string;
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Carbon footprint, in kg CO2e. Greenhouse gases of one product, expressed as the amount of CO2 with the same effect. */
    carbon_footprint: number;
    /** Care instructions. */
    care_instructions: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Repair information. */
    repair_instructions: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  furniture: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. */
    model_identifier: string;
    /** Country of manufacture. Required. */
    country_of_origin: string;
    /** Furniture type. Required. */
    furniture_type: "chair" | "table" | "sofa" | "bed" | "cabinet" | "shelf" | "desk" | "other";
    /** Material composition. Required. */
    material_composition: readonly Members<{ part: string; material: string; share: Measure }>[];
    /** Wood species and country of harvest. Access level: `restricted`. */
    wood_origin: readonly Members<{ species: string; country: string }>[];
    /** Formaldehyde emission, in mg/m3, at least 0. */
    formaldehyde_emission: number;
    /** Durability test standard. */
    durability_standard: string;
    /** Maximum load, in kg, at least 0. */
    maximum_load: number;
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  mattress: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. */
    model_identifier: string;
    /** Country of manufacture. Required. */
    country_of_origin: string;
    /** Core type. Required. */
    core_type: "foam" | "latex" | "springs" | "hybrid" | "other";
    /** Foam density, in kg/m3, at least 0. Weight of the foam per cubic metre. Denser foam usually keeps its shape longer. */
    foam_density: number;
    /** Firmness. */
    firmness: string;
    /** Removable cover. Required. */
    cover_removable: boolean;
    /** Cover fibre composition. Required. */
    cover_material: readonly (string | Members<{ fibre: string; share: Measure }>)[];
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Carbon footprint, in kg CO2e. Greenhouse gases of one product, expressed as the amount of CO2 with the same effect. */
    carbon_footprint: number;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Take-back scheme. */
    take_back_scheme: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  steel: {
    /** Manufacturer name. Required. */
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
    /** Steel grade. Required. */
    steel_grade: string;
    /** Product form. Required. */
    product_form: "flat" | "long" | "tube" | "wire" | "other";
    /** Heat number. The melt that the steel comes from. It leads to the inspection certificate. Access level: `restricted`. */
    heat_number: string;
    /** Production route. How the metal was made, for example from ore or from scrap. Required. */
    production_route: "blast_furnace" | "electric_arc" | "direct_reduction";
    /** Carbon footprint per tonne, in t CO2e/t. Greenhouse gases of making one tonne, as the amount of CO2 with the same effect. Required. */
    carbon_footprint_per_tonne: number;
    /** Scrap content, in %, 0 to 100. Required. */
    scrap_content: number;
    /** Yield strength, in MPa, at least 0. Stress above which the metal stays bent. */
    yield_strength: number;
    /** Tensile strength, in MPa, at least 0. Highest stress before the metal tears. */
    tensile_strength: number;
    /** Chemical composition, in %. Access level: `restricted`. */
    chemical_composition: Readonly<Record<string, Measure>>;
    /** Inspection certificate. Access level: `restricted`. */
    inspection_certificate: string;
    /** Commodity code (CN/TARIC). Number that customs use for this kind of goods. */
    commodity_code: string;
    /** Country of manufacture. Required. */
    country_of_origin: string;
    /** Specific embedded emissions (CBAM), in t CO2e/t. Greenhouse gases of the production, as imports into the EU report them. Access level: `authority`. */
    embedded_emissions: number;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  aluminium: {
    /** Manufacturer name. Required. */
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
    /** Alloy designation. Required. */
    alloy_designation: string;
    /** Temper. How the alloy was hardened by heat or by force, for example T6. */
    temper: string;
    /** Production route. How the metal was made, for example from ore or from scrap. Required. */
    production_route: "primary" | "secondary" | "mixed";
    /** Carbon footprint per tonne, in t CO2e/t. Greenhouse gases of making one tonne, as the amount of CO2 with the same effect. Required. */
    carbon_footprint_per_tonne: number;
    /** Pre-consumer recycled content, in %, 0 to 100. Share from scrap of factories, before a consumer used it. */
    recycled_content_pre_consumer: number;
    /** Post-consumer recycled content, in %, 0 to 100. Share of the aluminium that comes from products used by consumers. Required. */
    recycled_content_post_consumer: number;
    /** Chemical composition, in %. Access level: `restricted`. */
    chemical_composition: Readonly<Record<string, Measure>>;
    /** Country of smelting. Access level: `restricted`. */
    smelter_origin: string;
    /** Commodity code (CN/TARIC). Number that customs use for this kind of goods. */
    commodity_code: string;
    /** Country of manufacture. Required. */
    country_of_origin: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  detergent: {
    /** Manufacturer name. Required. */
    manufacturer_name: string;
    /** Manufacturer postal address. Required. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Detergent type. Required. */
    detergent_type: "laundry" | "dishwashing" | "surface" | "surfactant" | "other";
    /** Ingredient classes and ranges. Required. */
    ingredient_classes: readonly string[];
    /** Full ingredient data sheet. Access level: `authority`. */
    ingredient_datasheet: string;
    /** Fragrance allergens. Required. */
    fragrance_allergens: readonly string[];
    /** Surfactant biodegradability. Required. */
    surfactant_biodegradability: boolean;
    /** Dosage instructions. Required. */
    dosage_instructions: string;
    /** Phosphorus content per dose, in g, at least 0. */
    phosphorus_content: number;
    /** Unique formula identifier (UFI). Tells a poison centre what the mixture contains. Required. */
    ufi: string;
    /** Hazard statements. Official sentences that name the hazards of the product. */
    hazard_statements: readonly (string | Members<{ code: string; text: string }>)[];
    /** Commodity code (CN/TARIC). Number that customs use for this kind of goods. */
    commodity_code: string;
    /** Safety data sheet. Document for people who work with the product. */
    safety_data_sheet: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  toy: {
    /** Manufacturer name. Required. */
    manufacturer_name: string;
    /** Manufacturer postal address. Required. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** Intended age group. Required. */
    age_group: string;
    /** Safety warnings. Required. */
    safety_warnings: readonly string[];
    /** CE marking. With the CE mark the maker declares that the product meets the EU's rules. Required. */
    ce_marking: boolean;
    /** Harmonised standards applied. Required. */
    harmonised_standards: readonly string[];
    /** Main materials. */
    primary_materials: readonly (string | Members<{ part: string; material: string; share: Measure }>)[];
    /** Allergenic fragrances. */
    fragrance_allergens: readonly string[];
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Notified body. Independent body that tested the product for the EU. */
    notified_body: string;
    /** Commodity code (CN/TARIC). Number that customs use for this kind of goods. */
    commodity_code: string;
    /** Test reports. Required. Access level: `authority`. */
    test_reports: string;
    /** Country of manufacture. */
    country_of_origin: string;
    /** Recycling and disposal instructions. */
    recycling_instructions: string;
  };
  construction: {
    /** Manufacturer name. Required. */
    manufacturer_name: string;
    /** Manufacturer postal address. Required. */
    manufacturer_address: string;
    /** Manufacturer e-mail or website. */
    manufacturer_contact: string;
    /** Importer name. */
    importer_name: string;
    /** Importer postal address. */
    importer_address: string;
    /** Importer e-mail or website. */
    importer_contact: string;
    /** Product family. Required. */
    product_family: string;
    /** Intended use. Required. */
    intended_use: string;
    /** Declaration of performance and conformity. The maker's statement of how the product performs in a building. Required. */
    declaration_of_performance: string;
    /** Harmonised technical specification. Required. */
    harmonised_standard: string;
    /** Reaction to fire class. How much the product feeds a fire: A1 does not burn. */
    fire_class: string;
    /** Thermal conductivity, in W/(m·K), at least 0. How fast heat passes through. A lower value insulates better. */
    thermal_conductivity: number;
    /** Global warming potential, total (A1-A3), in kg CO2e. Greenhouse gases from the raw material to the factory gate. Required. */
    gwp_total: number;
    /** Declared unit. Amount of product that the environmental figures refer to. Required. */
    declared_unit: string;
    /** Environmental product declaration. Report on the product's effects on the environment, checked by a third party. */
    epd: string;
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
    /** Test reports. Access level: `authority`. */
    test_reports: string;
  };
  tablet: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** EPREL registration number. Finds the product in EPREL, the EU's database of energy labels. Required. */
    eprel_registration_number: string;
    /** Energy efficiency class. Class on the EU energy label: A is the most efficient. Required. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Battery endurance per cycle, in h, at least 0. Hours of use with one full charge, measured by the rules of the EU label. Required. */
    battery_endurance_per_cycle: number;
    /** Battery endurance in cycles, in cycle, at least 0. Full charges after which the battery still has 80% of its capacity. Required. */
    battery_endurance_cycles: number;
    /** Repeated free fall reliability class. How many falls from one metre the device survives: A is best. Required. */
    free_fall_class: "A" | "B" | "C" | "D" | "E";
    /** Repairability class. How easily the device can be repaired: A is best. Required. */
    repairability_class: "A" | "B" | "C" | "D" | "E";
    /** Operating system update support, in year, at least 0. Years of updates after the last device of the model was sold. Required. */
    os_update_years: number;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. Required. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** WEEE category. Group of electrical waste in which the old product is collected. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  display: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** EPREL registration number. Finds the product in EPREL, the EU's database of energy labels. Required. */
    eprel_registration_number: string;
    /** Energy efficiency class. Class on the EU energy label: A is the most efficient. Required. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Screen diagonal, in cm, at least 0. Required. */
    screen_diagonal: number;
    /** On-mode power demand (SDR), in W, at least 0. Required. */
    power_on_mode: number;
    /** Standby power demand, in W, at least 0. */
    standby_power: number;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. Required. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** WEEE category. Group of electrical waste in which the old product is collected. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  washing_machine: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** EPREL registration number. Finds the product in EPREL, the EU's database of energy labels. Required. */
    eprel_registration_number: string;
    /** Energy efficiency class. Class on the EU energy label: A is the most efficient. Required. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Rated capacity, in kg, at least 0. Required. */
    load_capacity: number;
    /** Energy consumption per 100 cycles, in kWh, at least 0. Required. */
    energy_per_100_cycles: number;
    /** Water consumption per cycle, in L, at least 0. Required. */
    water_per_cycle: number;
    /** Spin noise emission, in dB(A), at least 0. */
    spin_noise: number;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. Required. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** WEEE category. Group of electrical waste in which the old product is collected. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  refrigerator: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** EPREL registration number. Finds the product in EPREL, the EU's database of energy labels. Required. */
    eprel_registration_number: string;
    /** Energy efficiency class. Class on the EU energy label: A is the most efficient. Required. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Annual energy consumption, in kWh, at least 0. Electricity that the product uses in a year, measured by the EU's method. Required. */
    annual_energy_consumption: number;
    /** Total volume, in L, at least 0. Required. */
    total_volume: number;
    /** Refrigerant. Gas that moves the heat. Some refrigerants warm the climate strongly. */
    refrigerant: string;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. Required. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** WEEE category. Group of electrical waste in which the old product is collected. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  dishwasher: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** EPREL registration number. Finds the product in EPREL, the EU's database of energy labels. Required. */
    eprel_registration_number: string;
    /** Energy efficiency class. Class on the EU energy label: A is the most efficient. Required. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Energy consumption per 100 cycles, in kWh, at least 0. Required. */
    energy_per_100_cycles: number;
    /** Water consumption per cycle, in L, at least 0. Required. */
    water_per_cycle: number;
    /** Place settings, at least 0. Required. */
    place_settings: number;
    /** Spare parts availability, in year, at least 0. Years for which spare parts can be bought after the last product was sold. Required. */
    spare_parts_years: number;
    /** Repair information. */
    repair_instructions: string;
    /** Disassembly instructions. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** WEEE category. Group of electrical waste in which the old product is collected. */
    weee_category: "1" | "2" | "3" | "4" | "5" | "6";
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  lighting: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** EPREL registration number. Finds the product in EPREL, the EU's database of energy labels. Required. */
    eprel_registration_number: string;
    /** Energy efficiency class. Class on the EU energy label: A is the most efficient. Required. */
    energy_efficiency_class: "A" | "B" | "C" | "D" | "E" | "F" | "G";
    /** Useful luminous flux, in lm, at least 0. Light that the lamp gives off in the direction of use. Required. */
    luminous_flux: number;
    /** On-mode power, in W, at least 0. Required. */
    on_mode_power: number;
    /** Correlated colour temperature, in K. 2,700 K looks warm, 6,500 K like daylight. Required. */
    colour_temperature: number;
    /** Lifetime L70B50, in h, at least 0. Hours until half of the lamps give less than 70% of their light. */
    lifetime_l70b50: number;
    /** Replaceable light source. */
    replaceable_light_source: boolean;
    /** RoHS compliant. The product keeps the limits for lead, mercury and other substances in electronics. */
    rohs_compliant: boolean;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  charger: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** Input voltage, in V. Required. */
    input_voltage: string;
    /** Output power, in W, at least 0. Required. */
    output_power: number;
    /** Average active efficiency, in %, 0 to 100. Share of the power from the socket that the charger passes on. Required. */
    average_active_efficiency: number;
    /** Efficiency at 10% load, in %, 0 to 100. Required. */
    efficiency_10_load: number;
    /** No-load power consumption, in W, at least 0. Power that the charger draws while nothing is charged. Required. */
    no_load_power: number;
    /** USB-C ports with Power Delivery, at least 0. Required. */
    usb_pd_ports: number;
    /** Detachable cable. Required. */
    detachable_cable: boolean;
    /** RoHS compliant. The product keeps the limits for lead, mercury and other substances in electronics. */
    rohs_compliant: boolean;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  server: {
    /** Manufacturer name. Required. */
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
    /** Model identifier. The maker's name or number for this model. All items of the model share it. Required. */
    model_identifier: string;
    /** Product type. Required. */
    server_type: string;
    /** Power supply efficiency at 50% load, in %, 0 to 100. Share of the power from the socket that reaches the device at half load. Required. */
    psu_efficiency_50: number;
    /** Idle state power, in W, at least 0. Power while the device is on and does nothing. Required. */
    idle_power: number;
    /** Operating condition class. Temperatures and humidity in which the server may run. Required. */
    operating_condition_class: "A1" | "A2" | "A3" | "A4";
    /** Secure data deletion function. Required. */
    secure_data_deletion: boolean;
    /** Firmware availability. */
    firmware_availability: string;
    /** Critical raw materials. Materials that the EU needs and can hardly replace, such as cobalt and lithium. Access level: `restricted`. */
    critical_raw_materials: readonly (string | Members<{ material: string; mass: string; location: string; share: Measure }>)[];
    /** Disassembly instructions. Required. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  paint: {
    /** Manufacturer name. Required. */
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
    /** Product subcategory. Required. */
    paint_category: string;
    /** VOC content, ready to use, in g/L, at least 0. Solvents that evaporate into the air (volatile organic compounds). Required. */
    voc_content: number;
    /** Unique formula identifier (UFI). Tells a poison centre what the mixture contains. Required. */
    ufi: string;
    /** Hazard statements. Official sentences that name the hazards of the product. Required. */
    hazard_statements: readonly (string | Members<{ code: string; text: string }>)[];
    /** Coverage, in m2/L, at least 0. Area that one litre covers in one coat. */
    coverage: number;
    /** Biocides used. Access level: `restricted`. */
    biocides: readonly (string | Members<{ name: string; cas: string }>)[];
    /** Safety data sheet. Document for people who work with the product. Required. */
    safety_data_sheet: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  lubricant: {
    /** Manufacturer name. Required. */
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
    /** Lubricant type. Required. */
    lubricant_type: string;
    /** Viscosity grade. How thick the oil is. A higher number flows more slowly. Required. */
    viscosity_grade: string;
    /** Bio-based content, in %, 0 to 100. Share of the plastic that is made from plants instead of oil. */
    biobased_content: number;
    /** Biodegradability. How well bacteria break the substance down in water and soil. */
    biodegradability: string;
    /** Re-refined oil share, in %, 0 to 100. Share of used oil that was cleaned and used again. */
    rerefined_oil_share: number;
    /** Safety data sheet. Document for people who work with the product. Required. */
    safety_data_sheet: string;
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  jewellery: {
    /** Manufacturer name. Required. */
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
    /** Country of manufacture. Required. */
    country_of_origin: string;
    /** Precious metal and fineness. Required. */
    precious_metal_fineness: string;
    /** Metal weight, in g, at least 0. Required. */
    metal_weight: number;
    /** Gemstones. */
    gemstones: readonly (string | Members<{ name: string; mass: Measure; country: string }>)[];
    /** Recycled metal share, in %, 0 to 100. */
    recycled_metal_share: number;
    /** Responsible sourcing statement. */
    responsible_sourcing: string;
    /** Nickel release below limit. Nickel can cause allergies. The law limits how much reaches the skin. Required. */
    nickel_release: boolean;
    /** Supply chain actors. Companies that took part in making the product, with their task. Access level: `restricted`. */
    supply_chain_actors: readonly Members<{ tier: number; name: string; role: string; location: string; country: string }>[];
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  cosmetic: {
    /** Manufacturer name. Required. */
    manufacturer_name: string;
    /** Manufacturer postal address. Required. */
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
    /** Nominal content. Required. */
    nominal_content: string;
    /** Ingredients (INCI). All ingredients by their international names, largest share first. Required. */
    inci_ingredients: readonly string[];
    /** Period after opening, in month, at least 0. Months of safe use after opening: the sign of an open jar. Required. */
    period_after_opening: number;
    /** CPNP reference. Number of the product in the EU's notification portal for cosmetics. Access level: `authority`. */
    cpnp_reference: string;
    /** Warnings and safety information. Required. */
    safety_information: string;
    /** Packaging recyclability. */
    packaging_recyclability: string;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
  vehicle_part: {
    /** Manufacturer name. Required. */
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
    /** Manufacturer part number. Required. */
    part_number: string;
    /** Product weight, in kg, at least 0. Required. */
    product_weight: number;
    /** Material composition (IMDS). Access level: `restricted`. */
    material_composition: readonly Members<{ part: string; material: string; share: Measure }>[];
    /** Recycled content, in %, 0 to 100. Share of the weight that comes from recycled material. */
    recycled_content_share: number;
    /** Carbon footprint, in kg CO2e. Greenhouse gases of one product, expressed as the amount of CO2 with the same effect. */
    carbon_footprint: number;
    /** Critical raw materials. Materials that the EU needs and can hardly replace, such as cobalt and lithium. Access level: `restricted`. */
    critical_raw_materials: readonly (string | Members<{ material: string; mass: string; location: string; share: Measure }>)[];
    /** Substances of concern. Substances that can harm health or nature, or make recycling harder, with their amount. Access level: `restricted`. */
    substances_of_concern: readonly (string | Members<{ name: string; cas: string; location: string; share: Measure }>)[];
    /** Disassembly instructions. Required. Access level: `restricted`. */
    disassembly_instructions: string;
    /** Suitable for remanufacturing. A used part can be restored to the quality of a new one. */
    remanufacturable: boolean;
    /** Recycling and disposal instructions. Required. */
    recycling_instructions: string;
  };
}

/** The access levels of the fields that are not public. */
export interface Levels {
  textile: {
    supply_chain_actors: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
    disassembly_instructions: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  battery: {
    active_material_composition: 'restricted' | 'authority';
    spare_part_numbers: 'restricted' | 'authority';
    spare_part_sources: 'restricted' | 'authority';
    dismantling_information: 'restricted' | 'authority';
    safety_measures: 'restricted' | 'authority';
    test_reports: 'authority';
    state_measured_on: 'restricted' | 'authority';
    state_of_certified_energy: 'restricted' | 'authority';
    remaining_capacity: 'restricted' | 'authority';
    capacity_fade: 'restricted' | 'authority';
    remaining_power_capability: 'restricted' | 'authority';
    power_fade: 'restricted' | 'authority';
    current_internal_resistance: 'restricted' | 'authority';
    internal_resistance_increase: 'restricted' | 'authority';
    remaining_round_trip_efficiency: 'restricted' | 'authority';
    round_trip_efficiency_fade: 'restricted' | 'authority';
    self_discharge_evolution: 'restricted' | 'authority';
    expected_lifetime_years: 'restricted' | 'authority';
    battery_status: 'restricted' | 'authority';
    charge_cycles: 'restricted' | 'authority';
    negative_events: 'restricted' | 'authority';
    operating_conditions: 'restricted' | 'authority';
    state_of_charge_records: 'restricted' | 'authority';
  };
  smartphone: {
    critical_raw_materials: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
    disassembly_instructions: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  computer: {
    critical_raw_materials: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
    disassembly_instructions: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  cable: {
    substances_of_concern: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  motor: {
    magnet_details: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
    disassembly_instructions: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  tyre: {
    supply_chain_actors: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  packaging: {
    heavy_metals_sum: 'authority';
    substances_of_concern: 'restricted' | 'authority';
    supply_chain_actors: 'restricted' | 'authority';
    declaration_of_conformity: 'authority';
    technical_documentation: 'authority';
  };
  chemical: {
    ingredients: 'restricted' | 'authority';
    cas_number: 'restricted' | 'authority';
    reach_registration_number: 'restricted' | 'authority';
    poison_centre_notification: 'authority';
    supply_chain_actors: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  other: {
    disassembly_instructions: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
    supply_chain_actors: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  footwear: {
    substances_of_concern: 'restricted' | 'authority';
  };
  furniture: {
    wood_origin: 'restricted' | 'authority';
    disassembly_instructions: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
  };
  mattress: {
    substances_of_concern: 'restricted' | 'authority';
    disassembly_instructions: 'restricted' | 'authority';
  };
  steel: {
    heat_number: 'restricted' | 'authority';
    chemical_composition: 'restricted' | 'authority';
    inspection_certificate: 'restricted' | 'authority';
    embedded_emissions: 'authority';
  };
  aluminium: {
    chemical_composition: 'restricted' | 'authority';
    smelter_origin: 'restricted' | 'authority';
  };
  detergent: {
    ingredient_datasheet: 'authority';
  };
  toy: {
    substances_of_concern: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  construction: {
    substances_of_concern: 'restricted' | 'authority';
    test_reports: 'authority';
  };
  tablet: {
    disassembly_instructions: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
  };
  display: {
    disassembly_instructions: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
  };
  washing_machine: {
    disassembly_instructions: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
  };
  refrigerator: {
    disassembly_instructions: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
  };
  dishwasher: {
    disassembly_instructions: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
  };
  lighting: Record<never, never>;
  charger: {
    substances_of_concern: 'restricted' | 'authority';
  };
  server: {
    critical_raw_materials: 'restricted' | 'authority';
    disassembly_instructions: 'restricted' | 'authority';
  };
  paint: {
    biocides: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
  };
  lubricant: {
    substances_of_concern: 'restricted' | 'authority';
  };
  jewellery: {
    supply_chain_actors: 'restricted' | 'authority';
  };
  cosmetic: {
    cpnp_reference: 'authority';
  };
  vehicle_part: {
    material_composition: 'restricted' | 'authority';
    critical_raw_materials: 'restricted' | 'authority';
    substances_of_concern: 'restricted' | 'authority';
    disassembly_instructions: 'restricted' | 'authority';
  };
}

/** The units of the fields that have one. */
export interface Units {
  textile: {
    recycled_content_share: "%";
    garment_weight: "g";
    microfibre_release: "mg/kg";
    pilling_grade: "grade";
    abrasion_cycles: "cycle";
    colour_fastness_washing: "grade";
    dimensional_stability: "%";
    expected_wash_cycles: "cycle";
    carbon_footprint: "kg CO2e";
    water_consumption: "L";
  };
  battery: {
    battery_weight: "kg";
    carbon_footprint_total: "kg CO2e/kWh";
    recycled_content_cobalt: "%";
    recycled_content_lithium: "%";
    recycled_content_nickel: "%";
    recycled_content_lead: "%";
    renewable_content_share: "%";
    rated_capacity: "Ah";
    minimum_voltage: "V";
    nominal_voltage: "V";
    maximum_voltage: "V";
    voltage_temperature_minimum: "°C";
    voltage_temperature_maximum: "°C";
    original_power_capability: "W";
    maximum_permitted_power: "W";
    power_temperature_minimum: "°C";
    power_temperature_maximum: "°C";
    expected_lifetime_cycles: "cycle";
    capacity_threshold_exhaustion: "%";
    idle_temperature_minimum: "°C";
    idle_temperature_maximum: "°C";
    warranty_months: "month";
    round_trip_efficiency: "%";
    round_trip_efficiency_at_half_cycle_life: "%";
    internal_resistance_cell: "Ω";
    internal_resistance_pack: "Ω";
    cycle_life_test_c_rate: "A/Ah";
    state_of_certified_energy: "%";
    remaining_capacity: "Ah";
    capacity_fade: "%";
    remaining_power_capability: "W";
    power_fade: "%";
    current_internal_resistance: "Ω";
    internal_resistance_increase: "%";
    remaining_round_trip_efficiency: "%";
    round_trip_efficiency_fade: "%";
    self_discharge_evolution: "%";
    expected_lifetime_years: "year";
    charge_cycles: "cycle";
  };
  smartphone: {
    battery_endurance_per_cycle: "h";
    battery_endurance_cycles: "cycle";
    rated_battery_capacity: "mAh";
    os_update_years: "year";
    spare_parts_years: "year";
    spare_parts_delivery_days: "day";
    sar_value: "W/kg";
    recycled_content_share: "%";
    carbon_footprint: "kg CO2e";
  };
  computer: {
    annual_energy_consumption: "kWh";
    idle_power: "W";
    sleep_power: "W";
    psu_efficiency_50: "%";
    noise_level: "dB(A)";
    battery_loading_cycles: "cycle";
    spare_parts_years: "year";
    recycled_plastic_share: "%";
    carbon_footprint: "kg CO2e";
  };
  cable: {
    cable_length: "m";
    max_power: "W";
    rated_current: "A";
    rated_voltage: "V";
    data_rate: "Gbit/s";
    conductor_cross_section: "mm2";
    plug_cycles: "cycle";
    bending_cycles: "cycle";
    recycled_content_share: "%";
  };
  motor: {
    rated_efficiency_100: "%";
    rated_efficiency_75: "%";
    rated_efficiency_50: "%";
    power_losses: "%";
    rated_power: "kW";
    rated_frequency: "Hz";
    rated_voltage: "V";
    rated_speed: "rpm";
    motor_weight: "kg";
    magnet_recycled_share: "%";
    carbon_footprint: "kg CO2e";
  };
  tyre: {
    rolling_noise_db: "dB";
    rolling_resistance: "N/kN";
    abrasion_rate: "mg/km";
    expected_mileage: "km";
    natural_rubber_share: "%";
    recycled_content_share: "%";
  };
  packaging: {
    packaging_weight: "g";
    packaging_volume: "mL";
    recycled_content_post_consumer: "%";
    biobased_content: "%";
    empty_space_ratio: "%";
    heavy_metals_sum: "mg/kg";
  };
  chemical: {
    ph_value: "pH";
    flash_point: "°C";
    density: "g/cm3";
    voc_content: "g/L";
  };
  other: {
    product_weight: "kg";
    recycled_content_share: "%";
    carbon_footprint: "kg CO2e";
    expected_lifetime: "year";
    warranty_months: "month";
    spare_parts_years: "year";
  };
  footwear: {
    recycled_content_share: "%";
    carbon_footprint: "kg CO2e";
  };
  furniture: {
    formaldehyde_emission: "mg/m3";
    maximum_load: "kg";
    recycled_content_share: "%";
    spare_parts_years: "year";
  };
  mattress: {
    foam_density: "kg/m3";
    recycled_content_share: "%";
    carbon_footprint: "kg CO2e";
  };
  steel: {
    carbon_footprint_per_tonne: "t CO2e/t";
    scrap_content: "%";
    yield_strength: "MPa";
    tensile_strength: "MPa";
    chemical_composition: "%";
    embedded_emissions: "t CO2e/t";
  };
  aluminium: {
    carbon_footprint_per_tonne: "t CO2e/t";
    recycled_content_pre_consumer: "%";
    recycled_content_post_consumer: "%";
    chemical_composition: "%";
  };
  detergent: {
    phosphorus_content: "g";
  };
  toy: Record<never, never>;
  construction: {
    thermal_conductivity: "W/(m·K)";
    gwp_total: "kg CO2e";
    recycled_content_share: "%";
  };
  tablet: {
    battery_endurance_per_cycle: "h";
    battery_endurance_cycles: "cycle";
    os_update_years: "year";
    spare_parts_years: "year";
  };
  display: {
    screen_diagonal: "cm";
    power_on_mode: "W";
    standby_power: "W";
    spare_parts_years: "year";
  };
  washing_machine: {
    load_capacity: "kg";
    energy_per_100_cycles: "kWh";
    water_per_cycle: "L";
    spin_noise: "dB(A)";
    spare_parts_years: "year";
  };
  refrigerator: {
    annual_energy_consumption: "kWh";
    total_volume: "L";
    spare_parts_years: "year";
  };
  dishwasher: {
    energy_per_100_cycles: "kWh";
    water_per_cycle: "L";
    spare_parts_years: "year";
  };
  lighting: {
    luminous_flux: "lm";
    on_mode_power: "W";
    colour_temperature: "K";
    lifetime_l70b50: "h";
  };
  charger: {
    input_voltage: "V";
    output_power: "W";
    average_active_efficiency: "%";
    efficiency_10_load: "%";
    no_load_power: "W";
  };
  server: {
    psu_efficiency_50: "%";
    idle_power: "W";
  };
  paint: {
    voc_content: "g/L";
    coverage: "m2/L";
  };
  lubricant: {
    biobased_content: "%";
    rerefined_oil_share: "%";
  };
  jewellery: {
    metal_weight: "g";
    recycled_metal_share: "%";
  };
  cosmetic: {
    period_after_opening: "month";
  };
  vehicle_part: {
    product_weight: "kg";
    recycled_content_share: "%";
    carbon_footprint: "kg CO2e";
  };
}
