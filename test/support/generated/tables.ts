// Generated from the migrations by `npm run generate`. Do not edit.

/** The rows of each table, as a query returns them. */
export interface Tables {
  access_tokens: {
    tenant_id: string;
    id: string;
    product_id: string | null;
    role: string;
    kid: string;
    created_at: string;
    expires_at: string;
    revoked_at: string | null;
  };
  api_keys: {
    tenant_id: string;
    id: string;
    label: string;
    hash: string;
    created_at: string;
    revoked_at: string | null;
    last_used_at: string | null;
  };
  audit_entries: {
    id: string;
    time: string;
    command: string;
    arguments: string;
    os_user: string;
    version: string;
    changes: number;
  };
  carriers: {
    tenant_id: string;
    product_id: string;
    id: string;
    type: string;
    nfc_tag_uid: string | null;
    status: string;
    created_at: string;
  };
  installation: {
    name: string;
    value: string;
  };
  passport_values: {
    tenant_id: string;
    product_id: string;
    field_key: string;
    locale: string;
    value: string;
    unit: string | null;
    source: string;
    access_level: string;
    is_unknown: boolean | number;
    needs_review: boolean | number;
    updated_at: string;
  };
  passport_versions: {
    tenant_id: string;
    product_id: string;
    version: number;
    template_version: number;
    content_hash: string;
    salt: string;
    public_hash: string;
    created_at: string;
    replaced: string | null;
  };
  product_counts: {
    number: number;
    tenant_id: string;
    draft: number;
    active: number;
    archived: number;
  };
  product_images: {
    tenant_id: string;
    product_id: string;
    sha256: string;
    media_type: string;
    width: number;
    height: number;
    alt: string | null;
    created_at: string;
    bytes: Buffer;
  };
  products: {
    tenant_id: string;
    id: string;
    position: number;
    slug: string;
    name: string;
    name_folded: string;
    status: string;
    gtin: string | null;
    gtin14: string | null;
    product_group: string | null;
    model: string | null;
    completeness: number;
    registry_status: string;
    registry_id: string | null;
    unique_product_identifier: string;
    serial_number: string | null;
    withheld_versions: string | null;
    activated_at: string | null;
    created_at: string;
    updated_at: string;
  };
  scan_counts: {
    tenant_id: string;
    product_id: string;
    date: string;
    role: string;
    count: number;
  };
  scan_days: {
    tenant_id: string;
    date: string;
    role: string;
    count: number | string;
  };
  scans: {
    tenant_id: string;
    product_id: string;
    id: string;
    scanned_at: string;
    role: string;
    visitor_hash: string;
  };
  tenants: {
    id: string;
    slug: string;
    name: string;
    country: string;
    language: string;
    plan: string;
    color: string | null;
    imprint_url: string | null;
    privacy_url: string | null;
    accessibility_url: string | null;
    contact_url: string | null;
    listed_at: string | null;
    scans_off_at: string | null;
    created_at: string;
    logo_sha256: string | null;
    logo_width: number | null;
    logo_height: number | null;
    logo_bytes: Buffer | null;
  };
  token_secrets: {
    kid: string;
    value: string;
    created_at: string;
    accepted_until: string | null;
  };
}
