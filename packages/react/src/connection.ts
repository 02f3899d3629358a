import type { PageSignIn } from '@parley/auth/client'
import type { Tool } from '@parley/mcp'
import type { Client, ConnectOptions } from '@parley/mcp/client'

/** How a component connects. Read when a connection is opened; `retry()` opens one with the options of now. */
export interface UseMcpOptions extends Omit<ConnectOptions, 'signal'> {
  /** How people sign in: `createPageSignIn({ … })`, made once outside of the component; false if they cannot. @defaultValue `createPageSignIn()` in a page without `auth` */
  readonly signIn?: PageSignIn | false | undefined
  /** Whether to connect at all. @defaultValue true */
  readonly enabled?: boolean | undefined
}

/** What a component knows about a server. Every state has all fields, so that it can be taken apart and still be told by `status`. */
export type McpConnection = ConnectionState & {
  /** Connects again: after a failure, or once somebody has signed in elsewhere. */
  readonly retry: () => void
  /** Leads the page to the sign-in; with the error of a call that needs more scopes, asks for these too. */
  readonly signIn: (error?: unknown) => Promise<void>
}

/** The states of a connection. */
export type ConnectionState =
  | Waiting<'idle'>
  | Waiting<'connecting'>
  | SignInNeeded
  | Ready
  | Failed

interface Fields {
  /** The client, once it is ready. */
  readonly client: Client | undefined
  /** All tools, and again whenever they change. Empty until it is ready. */
  readonly tools: readonly Tool[]
  /** Where to send the user to sign in, for a link. */
  readonly signInUrl: string | undefined
  /** Why it failed. */
  readonly error: Error | undefined
}

interface Waiting<Status extends string> extends Fields {
  readonly status: Status
  readonly client: undefined
  readonly signInUrl: undefined
  readonly error: undefined
}

interface SignInNeeded extends Fields {
  readonly status: 'sign-in'
  readonly client: undefined
  readonly signInUrl: string
  readonly error: undefined
}

interface Ready extends Fields {
  readonly status: 'ready'
  readonly client: Client
  readonly signInUrl: undefined
  readonly error: undefined
}

interface Failed extends Fields {
  readonly status: 'failed'
  readonly client: undefined
  readonly signInUrl: undefined
  readonly error: Error
}

const nothing = { client: undefined, tools: [], signInUrl: undefined, error: undefined } as const

/** Nothing is wanted. */
export const idle: ConnectionState = { ...nothing, status: 'idle' }
/** Under way. */
export const connecting: ConnectionState = { ...nothing, status: 'connecting' }

/** Somebody has to sign in. */
export function signInNeeded(signInUrl: string): ConnectionState {
  return { ...nothing, status: 'sign-in', signInUrl }
}

/** Usable. */
export function ready(client: Client, tools: readonly Tool[]): ConnectionState {
  return { ...nothing, status: 'ready', client, tools }
}

/** Over. */
export function failed(cause: unknown): ConnectionState {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  return { ...nothing, status: 'failed', error }
}
