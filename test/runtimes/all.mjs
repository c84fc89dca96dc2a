/** Every entry of the SDK. */
export * from '@product-passport/sdk';
export * from '@product-passport/sdk/bulk';
export * from '@product-passport/sdk/gs1';
export * from '@product-passport/sdk/public';
export * from '@product-passport/sdk/telemetry';
export * from '@product-passport/sdk/templates';
export * from '@product-passport/sdk/testing';
export * from '@product-passport/sdk/verify';
