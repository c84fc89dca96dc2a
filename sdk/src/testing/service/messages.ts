import type { ServiceErrorCode } from './service-error.ts';

export const english: Readonly<Record<ServiceErrorCode, string>> = {
  invalid_api_key: 'The API key is missing, unknown or revoked.',
  not_found: 'The resource does not exist.',
  invalid_json: 'The request body is not valid JSON.',
  name_required: 'name is required: give the product a name.',
  unknown_product_group: 'product_group must be the key of a template.',
  values_must_be_array: 'The request body must be an array of passport values.',
  field_key_required: 'field_key is required in every element: name the template field.',
  internal_error: 'Something went wrong on our side.',
  invalid_gtin: 'gtin must have 8, 12, 13 or 14 digits.',
  invalid_request: 'The request breaks the contract: check the types and the limits of its fields.',
  method_not_allowed: 'This path does not allow this method. The Allow header lists the methods it allows.',
  unsupported_media_type: 'The request body must be application/json.',
};

export const german: Readonly<Record<ServiceErrorCode, string>> = {
  invalid_api_key: 'Der Schlüssel fehlt oder ist ungültig.',
  not_found: 'Das gibt es hier nicht.',
  invalid_json: 'Der Inhalt der Anfrage ist kein JSON.',
  name_required: 'Der Name fehlt.',
  unknown_product_group: 'Diese Produktgruppe gibt es nicht.',
  values_must_be_array: 'Der Inhalt der Anfrage muss eine Liste sein.',
  field_key_required: 'Einem Wert fehlt der Feldschlüssel.',
  internal_error: 'Ein Fehler ist aufgetreten.',
  invalid_gtin: 'Die GTIN ist ungültig.',
  invalid_request: 'Ein Wert der Anfrage ist ungültig.',
  method_not_allowed: 'Diese Methode ist hier nicht möglich.',
  unsupported_media_type: 'Der Inhalt der Anfrage muss JSON sein.',
};

/** Other codes for the errors that the description does not name. */
export const germanCodes: Readonly<Partial<Record<ServiceErrorCode, string>>> = {
  invalid_gtin: 'gtin_ungueltig',
  invalid_request: 'anfrage_ungueltig',
};
