export {
  apiKeyGuard,
  type ApiKeyLookup,
  type ApiKeyOwner,
  type ApiKeys,
  type ApiKeyGuardOptions,
} from '../resource/api-keys/api-keys.ts'
export { introspection, type IntrospectionOptions } from '../resource/introspection.ts'
export type {
  ClaimRules,
  DpopUse,
  TokenIssuer,
  IssuerRules,
  OAuthGuardOptions,
  TokenVerifier,
  VerifierRequest,
} from '../resource/options.ts'
export { oauthGuard } from '../resource/protect.ts'
export { providers } from '../resource/providers/providers.ts'
export type { OnceStore } from '../resource/sender-check.ts'
export { callerToken } from '../resource/subject-tokens.ts'
export type { FindProviderToken, ProviderToken } from '../resource/upstream/provider-token.ts'
export { exchangeToken, upstream, upstreamToken } from '../resource/upstream/upstream.ts'
export type { UpstreamOptions } from '../resource/upstream/upstream-token.ts'
