export { createAuthServer, type AuthServer } from '../server/auth-server.ts'
export type { AuditSink, AuthAuditEvent, AuthAuditType } from '../server/audit.ts'
export { createDemoAuth, type DemoAuth } from '../server/demo-auth.ts'
export { createFileAuthServerStore } from '../server/stores/file-store.ts'
export type { SignInCaller } from '../server/caller.ts'
export { createLocalUsers, type LocalUsers } from '../server/sign-in/local-users.ts'
export {
  createMemoryAuthServerStore,
  type MemoryAuthServerStoreOptions,
  type AuthServerStore,
} from '../server/stores/memory-store.ts'
export type { AuthServerOptions, UserGrant, DescribedClient } from '../server/options.ts'
export {
  auth0,
  discord,
  github,
  gitlab,
  google,
  keycloak,
  microsoft,
  notion,
  okta,
  slack,
} from '../server/providers.ts'
export {
  oauthProvider,
  type OAuthProvider,
  type OAuthProviderOptions,
  type OpenIdProvider,
  type PresetOptions,
  type ProviderClaims,
  type ProviderOptions,
} from '../server/third-party/provider-options.ts'
export type { SignInProvider } from '../server/third-party/sign-in-provider.ts'
export type { TrustedIssuer } from '../server/tokens/trusted-issuer.ts'
export type { UserAccount, UserDirectory } from '../server/sign-in/users.ts'
