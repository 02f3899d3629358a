export {
  bearer,
  clientCredentials,
  type ClientCredentialsOptions,
} from '../client/identity/client-credentials.ts'
export {
  browserStore,
  type BrowserStoreOptions,
  type WebStorage,
} from '../client/grants/browser-store.ts'
export {
  enterprise,
  type EnterpriseOptions,
  workload,
  type WorkloadOptions,
} from '../client/identity/enterprise.ts'
export {
  interactive,
  type InteractiveOptions,
  type SignInOptions,
} from '../client/sign-in/interactive.ts'
export {
  memoryStore,
  type StoredGrant,
  type StoreKey,
  type TokenStore,
} from '../client/grants/token-store.ts'
export type { AuthMethod, IssuerSettings, PrivateJwk, TokenOptions } from '../client/options.ts'
export {
  pageSignIn,
  type CompletedSignIn,
  type PageSignIn,
  type PageSignInOptions,
  type PageLocation,
} from '../client/sign-in/page-sign-in.ts'
export { revoke, type Revocation, type RevokeOptions } from '../client/tokens/revoke.ts'
export {
  begin,
  complete,
  resume,
  type SignIn,
  type TwoStepOptions,
} from '../client/sign-in/two-step.ts'
