/** `@modelcontextprotocol/sdk/shared/auth.js`: the documents of OAuth and OpenID Connect. */

import type * as z from 'zod/v4'

import { lazy } from '../schemas/lazy.ts'
import { parseUrl } from './parse-url.ts'

/** A URL that is safe to open. */
export const SafeUrlSchema = lazy((z) =>
  z
    .url()
    .superRefine((value, context) => {
      if (parseUrl(value)) return
      context.addIssue({ code: 'custom', message: 'URL must be parseable', fatal: true } as never)
    })
    .refine(
      (value) => !['javascript:', 'data:', 'vbscript:'].includes(parseUrl(value)?.protocol ?? ''),
      { message: 'URL cannot use javascript:, data:, or vbscript: scheme' },
    ),
)

const strings = (z: typeof import('zod/v4')) => z.array(z.string()).optional()
const text = (z: typeof import('zod/v4')) => z.string().optional()
const flag = (z: typeof import('zod/v4')) => z.boolean().optional()
const issuer = (z: typeof import('zod/v4')) => z.string().optional().catch(undefined)

export const OAuthProtectedResourceMetadataSchema = lazy((z) =>
  z.looseObject({
    resource: z.string().url(),
    authorization_servers: z.array(SafeUrlSchema).optional(),
    jwks_uri: z.string().url().optional(),
    scopes_supported: strings(z),
    bearer_methods_supported: strings(z),
    resource_signing_alg_values_supported: strings(z),
    resource_name: text(z),
    resource_documentation: text(z),
    resource_policy_uri: z.string().url().optional(),
    resource_tos_uri: z.string().url().optional(),
    tls_client_certificate_bound_access_tokens: flag(z),
    authorization_details_types_supported: strings(z),
    dpop_signing_alg_values_supported: strings(z),
    dpop_bound_access_tokens_required: flag(z),
  }),
)
export const OAuthMetadataSchema = lazy((z) =>
  z.looseObject({
    issuer: z.string(),
    authorization_endpoint: SafeUrlSchema,
    token_endpoint: SafeUrlSchema,
    registration_endpoint: SafeUrlSchema.optional(),
    scopes_supported: strings(z),
    response_types_supported: z.array(z.string()),
    response_modes_supported: strings(z),
    grant_types_supported: strings(z),
    token_endpoint_auth_methods_supported: strings(z),
    token_endpoint_auth_signing_alg_values_supported: strings(z),
    service_documentation: SafeUrlSchema.optional(),
    revocation_endpoint: SafeUrlSchema.optional(),
    revocation_endpoint_auth_methods_supported: strings(z),
    revocation_endpoint_auth_signing_alg_values_supported: strings(z),
    introspection_endpoint: text(z),
    introspection_endpoint_auth_methods_supported: strings(z),
    introspection_endpoint_auth_signing_alg_values_supported: strings(z),
    code_challenge_methods_supported: strings(z),
    client_id_metadata_document_supported: flag(z),
  }),
)
export const OpenIdProviderMetadataSchema = lazy((z) =>
  z.looseObject({
    issuer: z.string(),
    authorization_endpoint: SafeUrlSchema,
    token_endpoint: SafeUrlSchema,
    userinfo_endpoint: SafeUrlSchema.optional(),
    jwks_uri: SafeUrlSchema,
    registration_endpoint: SafeUrlSchema.optional(),
    scopes_supported: strings(z),
    response_types_supported: z.array(z.string()),
    response_modes_supported: strings(z),
    grant_types_supported: strings(z),
    acr_values_supported: strings(z),
    subject_types_supported: z.array(z.string()),
    id_token_signing_alg_values_supported: z.array(z.string()),
    id_token_encryption_alg_values_supported: strings(z),
    id_token_encryption_enc_values_supported: strings(z),
    userinfo_signing_alg_values_supported: strings(z),
    userinfo_encryption_alg_values_supported: strings(z),
    userinfo_encryption_enc_values_supported: strings(z),
    request_object_signing_alg_values_supported: strings(z),
    request_object_encryption_alg_values_supported: strings(z),
    request_object_encryption_enc_values_supported: strings(z),
    token_endpoint_auth_methods_supported: strings(z),
    token_endpoint_auth_signing_alg_values_supported: strings(z),
    display_values_supported: strings(z),
    claim_types_supported: strings(z),
    claims_supported: strings(z),
    service_documentation: text(z),
    claims_locales_supported: strings(z),
    ui_locales_supported: strings(z),
    claims_parameter_supported: flag(z),
    request_parameter_supported: flag(z),
    request_uri_parameter_supported: flag(z),
    require_request_uri_registration: flag(z),
    op_policy_uri: SafeUrlSchema.optional(),
    op_tos_uri: SafeUrlSchema.optional(),
    client_id_metadata_document_supported: flag(z),
  }),
)
export const OpenIdProviderDiscoveryMetadataSchema = lazy((z) =>
  z.object({
    ...OpenIdProviderMetadataSchema.shape,
    ...OAuthMetadataSchema.pick({ code_challenge_methods_supported: true }).shape,
  }),
)
export const OAuthTokensSchema = lazy((z) =>
  z
    .object({
      access_token: z.string(),
      id_token: text(z),
      token_type: z.string(),
      expires_in: z.coerce.number().optional(),
      scope: text(z),
      refresh_token: text(z),
      issuer: issuer(z),
    })
    .strip(),
)
export const OAuthErrorResponseSchema = lazy((z) =>
  z.object({ error: z.string(), error_description: text(z), error_uri: text(z) }),
)
export const OptionalSafeUrlSchema = lazy((z) =>
  SafeUrlSchema.optional().or(z.literal('').transform(() => undefined)),
)
export const OAuthClientMetadataSchema = lazy((z) =>
  z
    .object({
      redirect_uris: z.array(SafeUrlSchema),
      token_endpoint_auth_method: text(z),
      grant_types: strings(z),
      response_types: strings(z),
      client_name: text(z),
      client_uri: SafeUrlSchema.optional(),
      logo_uri: OptionalSafeUrlSchema,
      scope: text(z),
      contacts: strings(z),
      tos_uri: OptionalSafeUrlSchema,
      policy_uri: text(z),
      jwks_uri: SafeUrlSchema.optional(),
      jwks: z.any().optional(),
      software_id: text(z),
      software_version: text(z),
      software_statement: text(z),
    })
    .strip(),
)
export const OAuthClientInformationSchema = lazy((z) =>
  z
    .object({
      client_id: z.string(),
      client_secret: text(z),
      client_id_issued_at: z.number().optional(),
      client_secret_expires_at: z.number().optional(),
      issuer: issuer(z),
    })
    .strip(),
)
export const OAuthClientInformationFullSchema = lazy(() =>
  OAuthClientMetadataSchema.merge(OAuthClientInformationSchema),
)
export const OAuthClientRegistrationErrorSchema = lazy((z) =>
  z.object({ error: z.string(), error_description: text(z) }).strip(),
)
export const OAuthTokenRevocationRequestSchema = lazy((z) =>
  z.object({ token: z.string(), token_type_hint: text(z) }).strip(),
)

export type OAuthMetadata = z.infer<typeof OAuthMetadataSchema>
export type OpenIdProviderMetadata = z.infer<typeof OpenIdProviderMetadataSchema>
export type OpenIdProviderDiscoveryMetadata = z.infer<typeof OpenIdProviderDiscoveryMetadataSchema>
export type OAuthTokens = z.infer<typeof OAuthTokensSchema>
export type OAuthErrorResponse = z.infer<typeof OAuthErrorResponseSchema>
export type OAuthClientMetadata = z.infer<typeof OAuthClientMetadataSchema>
export type OAuthClientInformation = z.infer<typeof OAuthClientInformationSchema>
export type OAuthClientInformationFull = z.infer<typeof OAuthClientInformationFullSchema>
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull
export type OAuthClientRegistrationError = z.infer<typeof OAuthClientRegistrationErrorSchema>
export type OAuthTokenRevocationRequest = z.infer<typeof OAuthTokenRevocationRequestSchema>
export type OAuthProtectedResourceMetadata = z.infer<typeof OAuthProtectedResourceMetadataSchema>
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata
