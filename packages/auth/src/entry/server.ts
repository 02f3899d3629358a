export { createAuthServer, type AuthServer } from '../server/auth-server.ts'
export type { Audit, AuditEvent, AuditType } from '../server/audit.ts'
export { demoAuth, type DemoAuth } from '../server/demo-auth.ts'
export { serverFileStore } from '../server/stores/file-store.ts'
export type { Caller } from '../server/caller.ts'
export { localUsers, type LocalUsers } from '../server/sign-in/local-users.ts'
export {
  serverMemoryStore,
  type ServerMemoryStoreOptions,
  type AuthServerStore,
} from '../server/stores/memory-store.ts'
export type { AuthServerOptions, Grant, KnownClient } from '../server/options.ts'
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
  type KnownProviderOptions,
  type ProviderClaims,
  type ProviderOptions,
} from '../server/third-party/provider-options.ts'
export type { SignInProvider } from '../server/third-party/sign-in-provider.ts'
export type { TrustedIssuer } from '../server/tokens/trusted-issuer.ts'
export type { Account, Users } from '../server/sign-in/users.ts'
