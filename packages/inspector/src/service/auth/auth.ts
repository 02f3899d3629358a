import { createSafeFetch } from '@parley/auth'
import { browserAuth } from '@parley/auth/client'
import { openBrowser } from '@parley/auth/node'
import type { ClientAuth } from '@parley/mcp/client'

import type { AuthStep, AuthView, Methods, RunOutcome } from '../../protocol/index.ts'
import type { Emit, Handlers } from '../handlers.ts'
import { ProblemError, toProblem } from '../problem.ts'
import { requireRunnable } from '../servers/connections.ts'
import { isCommand } from '../servers/entry-view.ts'
import type { ServerRecord } from '../servers/server-hold.ts'
import type { Servers } from '../servers/servers.ts'
import { recordSignIn, type Learned, type Step } from './auth-record.ts'
import { testRejection, claimsOf } from './auth-tests.ts'
import { signOutOfServer } from './sign-out.ts'
import { readScopeChallenge, createStepUpReport, type StepUpReport } from './step-up.ts'
import type { ServerTokens } from './token-stores.ts'
import { watchStore, type GrantWatch } from './watched-store.ts'

/** Signing in at servers, step by step. */
export interface Auth {
  readonly handlers: Handlers<
    'auth/get' | 'auth/sign-in' | 'auth/sign-out' | 'auth/step-up' | 'auth/test'
  >
  /** Credentials for a server; undefined where none can be used. Nobody is sent to a browser before `auth/sign-in`. */
  authFor(record: ServerRecord): ClientAuth | undefined
  /** Forgets a server that was removed, and its tokens. */
  forget(record: ServerRecord): Promise<void>
}

export interface AuthContext {
  readonly emit: Emit
  readonly servers: () => Servers
  /** Where the tokens of one server are, and nobody else's. */
  readonly openStore: (name: string, url: string) => ServerTokens
  readonly noOpen: boolean
  /** Something that may stand nowhere in clear. */
  readonly onSecret: (secret: string) => void
  /** Calls a tool as the page does. */
  readonly call: (request: Methods['runs/start']['params']) => Promise<RunOutcome>
}

interface SignInState extends GrantWatch {
  view: AuthView
  readonly learned: Learned
  /** Somebody asked for a browser. */
  isSigningIn: boolean
  clientId?: string | undefined
  clientSecret?: string | undefined
  scope?: string | undefined
  /** The one in use, to look whether it is good after signing out; never shown. */
  token?: string | undefined
  stepUp?: StepUpReport | undefined
}

const maxSteps = 200

/** A person has to read and allow something. */
const signInMs = 300_000

export function createAuth(parts: AuthContext): Auth {
  const { emit, servers, openStore, noOpen, onSecret } = parts
  const all = new Map<string, SignInState>()

  function stateOf(server: string): SignInState {
    const state = all.get(server)
    if (state !== undefined) return state
    const current: SignInState = {
      view: { server, state: 'none', steps: [] },
      learned: {},
      isSigningIn: false,
    }
    all.set(server, current)
    return current
  }

  function change(state: SignInState, changed: Partial<AuthView>): void {
    state.view = { ...state.view, ...changed }
    emit('auth/changed', state.view)
  }

  function addStep(record: ServerRecord, step: Step): void {
    const state = stateOf(record.name)
    const full: AuthStep = { server: record.name, at: Date.now(), ...step }
    record.tap.add({ kind: 'auth', text: step.title, details: JSON.parse(JSON.stringify(step)) })
    const { issuer } = state.learned
    change(state, {
      steps: [...state.view.steps, full].slice(-maxSteps),
      ...(issuer !== undefined && { issuer }),
    })
  }

  async function show(record: ServerRecord, url: URL): Promise<void> {
    const state = stateOf(record.name)
    if (!state.isSigningIn) {
      const { needs } = state.view
      throw new ProblemError('sign_in_needed', `${record.name} requires sign-in`, {
        hint: needs ? `It needs ${needs.join(' ')}: see the Auth tab.` : 'Sign in on the Auth tab.',
      })
    }
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new ProblemError(
        'address_refused',
        `a browser is not sent to ${url.protocol} addresses`,
      )
    }
    addStep(record, {
      from: 'client',
      to: 'browser',
      title: 'Send the user to the issuer',
      request: { url: url.origin + url.pathname, ...Object.fromEntries(withoutSecrets(url)) },
    })
    change(state, { openUrl: url.href })
    state.stepUp?.onConsent(url)
    if (!noOpen) await openBrowser(url).catch(() => undefined) // the page shows the address as well
  }

  function authFor(record: ServerRecord): ClientAuth | undefined {
    const { entry, name } = record
    if (isCommand(entry) || !/^https?:/.test(entry.url)) return undefined
    const isPresent = Object.keys(entry.headers ?? {}).some(
      (key) => key.toLowerCase() === 'authorization',
    )
    if (isPresent) return undefined
    const state = stateOf(name)
    const { clientId, clientSecret, scope } = state
    const inner = browserAuth({
      store: watchStore(openStore(name, entry.url).store, state),
      clientName: 'Parley Inspector',
      fetch: recordedFetch(record),
      open: (url) => show(record, url),
      ...(clientId && { clientId }),
      ...(clientSecret && { clientSecret }),
      ...(scope && { scopes: scope.split(' ') }),
    })
    return {
      ...inner,
      async authorize(request) {
        const headers = await inner.authorize(request)
        const token = /^(?:Bearer|DPoP) (.+)$/i.exec(headers['authorization'] ?? '')?.[1]
        // While somebody is asked for more, other requests go on with the token that is there.
        const isAsking = state.view.openUrl !== undefined && token === state.token
        if (token !== undefined && !isAsking) {
          state.token = token
          signedIn(state, token)
        }
        return headers
      },
      async challenged(challenge) {
        addStep(record, {
          from: 'server',
          to: 'client',
          title: `The server refuses: ${challenge.status}`,
          response: { status: challenge.status, 'www-authenticate': challenge.wwwAuthenticate },
        })
        state.stepUp?.onRejection(challenge.status, challenge.wwwAuthenticate)
        const { isInsufficientScope, scopes: needs } = readScopeChallenge(challenge.wwwAuthenticate)
        if (state.isSigningIn) change(state, { state: 'signing-in' })
        else if (isInsufficientScope && needs !== undefined) change(state, { needs })
        return inner.challenged(challenge)
      },
    }
  }

  function signedIn(state: SignInState, token: string): void {
    const { issuer, scopes, expiresAt } = state.learned
    const claims = claimsOf(token)
    const { exp, scope } = claims ?? {}
    const until = typeof exp === 'number' ? exp * 1000 : expiresAt
    const granted = typeof scope === 'string' ? scope.split(' ') : scopes
    const { openUrl: _, needs, ...rest } = state.view
    const isEnough = needs?.every((need) => granted?.includes(need)) ?? true
    const next: AuthView = {
      ...rest,
      ...(!isEnough && { needs }),
      state: 'signed-in',
      ...(issuer !== undefined && { issuer }),
      ...(granted !== undefined && { scopes: granted }),
      ...(until !== undefined && { expiresAt: until }),
      ...(claims !== undefined && { claims }),
    }
    if (JSON.stringify(next) === JSON.stringify(state.view)) return
    state.view = next
    emit('auth/changed', next)
  }

  function recordedFetch(record: ServerRecord): typeof fetch {
    const { learned } = stateOf(record.name)
    return recordSignIn(
      createSafeFetch({ network: 'any' }),
      (step) => addStep(record, step),
      learned,
    )
  }

  /** While this goes on, browsers may be opened. Only one at a time. */
  async function withPerson<T>(state: SignInState, work: () => Promise<T>): Promise<T> {
    if (state.isSigningIn) throw new ProblemError('signing_in', 'a sign-in is already in progress')
    state.isSigningIn = true
    try {
      return await work()
    } finally {
      state.isSigningIn = false
    }
  }

  async function signIn(record: ServerRecord, isRenewing: boolean): Promise<void> {
    const state = stateOf(record.name)
    state.isRenewing = isRenewing
    state.token = undefined
    const { openUrl: _, needs: __, signedOut: ___, stepUp: ____, ...rest } = state.view
    state.view = rest
    change(state, { state: 'signing-in', steps: [] })
    try {
      await servers().handlers['servers/disconnect']({ name: record.name })
      await servers().connect(record)
      if (state.view.state !== 'signed-in') change(state, { state: 'none' }) // it wanted no token
    } catch (error) {
      const { message: title } = toProblem(error)
      addStep(record, { from: 'client', to: 'browser', title, failed: true })
      change(state, { state: 'refused' })
    } finally {
      state.isRenewing = false
    }
  }

  async function stepUp(
    record: ServerRecord,
    { tool, arguments: args }: Methods['auth/step-up']['params'],
  ): Promise<void> {
    const { name: server } = record
    const state = stateOf(server)
    const report = createStepUpReport(tool, state.view.scopes, () =>
      change(state, { stepUp: report.view }),
    )
    state.stepUp = report
    change(state, { stepUp: report.view })
    try {
      const outcome = await parts.call({
        server,
        run: crypto.randomUUID(),
        method: 'tools/call',
        params: { name: tool, arguments: args },
        timeoutMs: signInMs,
      })
      report.onEnd(outcome, state.view.scopes)
      const { openUrl: _, ...rest } = state.view
      state.view = rest
      change(state, { state: state.token === undefined ? 'none' : 'signed-in' })
    } catch (error) {
      const { stepUp: _, ...rest } = state.view
      state.view = rest
      throw error
    } finally {
      state.stepUp = undefined
    }
  }

  function requireUrl(record: ServerRecord): string {
    if (!isCommand(record.entry)) {
      requireRunnable(record)
      return record.entry.url
    }
    throw new ProblemError('not_http', `${record.name} is a command: commands have no sign-in`)
  }

  return {
    authFor,
    async forget(record) {
      all.delete(record.name)
      if (!isCommand(record.entry)) await openStore(record.name, record.entry.url).forget()
    },
    handlers: {
      'auth/get': ({ server }) => stateOf(servers().find(server).name).view,

      async 'auth/sign-in'({ server, clientId, clientSecret, scope }) {
        const record = servers().find(server)
        requireUrl(record)
        const state = stateOf(server)
        await withPerson(state, async () => {
          Object.assign(state, { clientId, clientSecret, scope })
          if (clientSecret !== undefined) onSecret(clientSecret)
          await signIn(record, true)
        })
        return state.view
      },

      async 'auth/step-up'(params) {
        const record = servers().find(params.server)
        requireUrl(record)
        const state = stateOf(record.name)
        const isRenewing = params.scope !== undefined
        await withPerson(state, async () => {
          if (isRenewing) state.scope = params.scope
          if (isRenewing || record.client === undefined) {
            await signIn(record, isRenewing)
            if (state.view.state === 'refused') return
          }
          await stepUp(record, params)
        })
        return state.view
      },

      async 'auth/sign-out'({ server }) {
        const record = servers().find(server)
        const url = requireUrl(record)
        await servers().handlers['servers/disconnect']({ name: server })
        const before = stateOf(server)
        const tokens = openStore(server, url)
        const { clientId, clientSecret, key, token } = before
        const signedOut = await signOutOfServer({
          url,
          key,
          token,
          options: { store: tokens.store, fetch: recordedFetch(record), clientId, clientSecret },
          onStep: (step) => addStep(record, step),
        })
        await tokens.forget()
        const { steps } = stateOf(server).view
        all.delete(server)
        const state = stateOf(server)
        change(state, { steps, signedOut })
        return state.view
      },

      async 'auth/test'({ server, test }) {
        const record = servers().find(server)
        return testRejection(requireUrl(record), test, stateOf(server).learned.issuer)
      },
    },
  }
}

/** What an authorization request says, without what would let others end it. */
function withoutSecrets(url: URL): [string, string][] {
  return [...url.searchParams].filter(([name]) => name !== 'state' && name !== 'code_challenge')
}
