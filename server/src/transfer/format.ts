import type { Confirmed, PassportValue, Schemas } from '@product-passport/openapi';
import type { AuditEntry } from '../audit/store.ts';
import type { InstallationName } from '../database/installation.ts';
import type { ImageInfo } from '../images/rules.ts';
import type { Replaced, Version } from '../passports/store.ts';
import type { Product } from '../products/store.ts';
import type { Legal, operatorColumns, Tenant } from '../tenants/store.ts';

/** The lines of an export. `server/data/export.schema.json` describes them for readers of other programs. */
export const formatName = 'product-passport-export';
/** A program refuses a file of a newer version. A change that an older program cannot read needs a new version. */
export const formatVersion = 1;

/** 32 MiB for a line. The values of a passport have at most 2 MiB. */
export const maxLineBytes = 32 * 1024 * 1024;

/** The tables whose rows stand in lists, in the order of the file. */
export const sectionNames = [
  ...(['versions', 'carriers', 'status_changes'] as const),
  ...(['scan_counts', 'scans', 'access_tokens', 'api_keys'] as const),
];
export type SectionName = (typeof sectionNames)[number];

interface Section {
  table: string;
  /** The primary key after `tenant_id`, in its order. */
  key: readonly string[];
  columns: readonly string[];
}

export const sections: Readonly<Record<SectionName, Section>> = {
  versions: {
    table: 'passport_versions',
    key: ['product_id', 'version'],
    columns: ['product_id', 'version', 'template_version', 'content_hash', 'salt', 'public_hash', 'created_at'],
  },
  carriers: {
    table: 'carriers',
    key: ['product_id', 'id'],
    columns: ['product_id', 'id', 'type', 'nfc_tag_uid', 'status', 'created_at'],
  },
  status_changes: {
    table: 'status_changes',
    key: ['product_id', 'id'],
    columns: ['product_id', 'id', 'from_status', 'to_status', 'changed_at', 'key_id', 'changed_by'],
  },
  scan_counts: {
    table: 'scan_counts',
    key: ['date', 'product_id', 'role'],
    columns: ['date', 'product_id', 'role', 'count'],
  },
  scans: {
    table: 'scans',
    key: ['id'],
    columns: ['id', 'product_id', 'scanned_at', 'role', 'visitor_hash'],
  },
  access_tokens: {
    table: 'access_tokens',
    key: ['id'],
    columns: ['id', 'product_id', 'role', 'kid', 'created_at', 'expires_at', 'revoked_at'],
  },
  api_keys: {
    table: 'api_keys',
    key: ['id'],
    columns: ['id', 'label', 'hash', 'created_at', 'revoked_at', 'last_used_at', 'scope'],
  },
};

export type Row = Record<string, string | number | boolean | null>;

export interface Header {
  type: 'header';
  format: typeof formatName;
  version: number;
  kind: 'tenant' | 'all';
  secrets: boolean;
  created_at: string;
  program: string;
}

/** A row of the installation. */
export interface InstallationLine {
  type: 'installation';
  name: InstallationName;
  value: string;
}

export interface TokenSecretLine {
  type: 'token_secret';
  kid: string;
  value: string;
  created_at: string;
  accepted_until: string | null;
}

export interface AuditLine {
  type: 'audit_entries';
  items: AuditEntry[];
}

export interface TenantLine {
  type: 'tenant';
  tenant: Tenant;
  created_at: string;
  /** What is set for the tenant's pages, without what is not. */
  pages?: Partial<
    Record<'color' | 'listed_at' | 'scans_off_at' | keyof Legal | (typeof operatorColumns)[number], string>
  > & {
    logo?: Pick<ImageLine, 'sha256' | 'width' | 'height' | 'bytes'>;
  };
}

export interface ProductLine extends Pick<Version, 'version' | 'public_hash'> {
  type: 'product';
  position: number;
  activated_at: string | null;
  /** Absent if none is withheld from the public history. */
  withheld_versions?: number[];
  /** The fields that commands confirmed. Absent if there are none. */
  confirmed?: Confirmed;
  /** The change of a model whose items were being written. Absent if there is none. */
  unfinished?: { old: PassportValue[]; new: PassportValue[]; open: readonly string[] };
  product: Product;
  passport: Schemas['Passport'] & { values: PassportValue[] };
}

export interface SectionLine {
  type: SectionName;
  items: Row[];
}

/** The image of a product. */
export interface ImageLine extends ImageInfo {
  type: 'image';
  product_id: string;
  created_at: string;
  /** In base64. */
  bytes: string;
}

/** What versions of passports replaced. An import proves it by the hashes of the versions. */
export interface HistoryLine {
  type: 'history';
  items: { product_id: string; version: number; replaced: Replaced }[];
}

interface TenantEnd {
  type: 'tenant_end';
}

export interface Trailer {
  type: 'trailer';
  /** Lines before this one. */
  lines: number;
  /** Of the bytes before this line. */
  sha256: string;
}

export type Line =
  | Header
  | InstallationLine
  | TokenSecretLine
  | AuditLine
  | TenantLine
  | ProductLine
  | SectionLine
  | ImageLine
  | HistoryLine
  | TenantEnd
  | Trailer;

/**
 * The beginning of a tenant's slug while it is imported. No path and no command can name such a slug, so nobody sees the
 * tenant before it is complete.
 */
const prefix = 'importing:';

/** The slug of a tenant until its import has ended. */
export function hiddenSlug(slug: string): string {
  return `${prefix}${slug}`;
}

/** The slug that the tenant of an import gets at its end. */
export function slugOfHidden(hidden: string): string {
  return hidden.slice(prefix.length);
}

export function isHidden(slug: string): boolean {
  return slug.startsWith(prefix);
}
