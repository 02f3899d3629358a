export {
  bearerAuth,
  clientCredentialsAuth,
  type ClientCredentialsAuthOptions,
} from '../client/identity/client-credentials.ts'
export {
  createBrowserTokenStore,
  type BrowserTokenStoreOptions,
  type WebStorage,
} from '../client/grants/browser-store.ts'
export {
  enterpriseAuth,
  type EnterpriseAuthOptions,
  workloadAuth,
  type WorkloadAuthOptions,
} from '../client/identity/enterprise.ts'
export {
  browserAuth,
  type BrowserAuthOptions,
  type SignInOptions,
} from '../client/sign-in/interactive.ts'
export {
  createMemoryTokenStore,
  type StoredGrant,
  type StoreKey,
  type TokenStore,
} from '../client/grants/token-store.ts'
export type { AuthMethod, IssuerSettings, PrivateJwk, TokenOptions } from '../client/options.ts'
export {
  createPageSignIn,
  type CompletedSignIn,
  type PageSignIn,
  type PageSignInOptions,
  type PageLocation,
} from '../client/sign-in/page-sign-in.ts'
export { signOut, type SignOutResult, type SignOutOptions } from '../client/tokens/revoke.ts'
export {
  beginSignIn,
  completeSignIn,
  authFromStore,
  type StartedSignIn,
  type BeginSignInOptions,
} from '../client/sign-in/two-step.ts'
