export { createAuthServer, type AuthServer } from '../server/auth-server.ts'
export type { Audit, AuditEvent, AuditType } from '../server/audit.ts'
export { demoAuth, type DemoAuth } from '../server/demo-auth.ts'
export { serverFileStore } from '../server/stores/file-store.ts'
export type { Caller } from '../server/caller.ts'
export { localUsers, type LocalUsers } from '../server/sign-in/local-users.ts'
export { serverMemoryStore, type ServerMemoryStoreOptions } from '../server/stores/memory-store.ts'
export type { AuthServerOptions, Grant, KnownClient } from '../server/options.ts'
export type { AuthServerStore } from '../server/stores/store.ts'
export { auth0 } from '../server/providers/auth0.ts'
export { discord } from '../server/providers/discord.ts'
export { github } from '../server/providers/github.ts'
export { gitlab } from '../server/providers/gitlab.ts'
export { google } from '../server/providers/google.ts'
export { keycloak } from '../server/providers/keycloak.ts'
export { microsoft } from '../server/providers/microsoft.ts'
export { notion } from '../server/providers/notion.ts'
export { okta } from '../server/providers/okta.ts'
export { slack } from '../server/providers/slack.ts'
export {
  oauthProvider,
  type OAuthProvider,
  type OAuthProviderOptions,
} from '../server/third-party/oauth-provider.ts'
export type { OpenIdProvider } from '../server/third-party/openid-provider.ts'
export type {
  KnownProviderOptions,
  ProviderClaims,
  ProviderOptions,
} from '../server/third-party/provider-options.ts'
export type { SignInProvider } from '../server/third-party/sign-in-provider.ts'
export type { TrustedIssuer } from '../server/tokens/trusted-issuer.ts'
export type { Account, Users } from '../server/sign-in/users.ts'
