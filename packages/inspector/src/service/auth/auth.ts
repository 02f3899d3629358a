import { createSafeFetch } from '@parley/auth'
import { browserAuth } from '@parley/auth/client'
import { openBrowser } from '@parley/auth/node'
import type { ClientAuth } from '@parley/mcp/client'

import type { AuthStep, AuthView, Methods, RunOutcome } from '../../protocol/index.ts'
import type { Emit, Handlers } from '../handlers.ts'
import { ProblemError, toProblem } from '../problem.ts'
import { requireRunnable } from '../servers/connections.ts'
import { isCommand } from '../servers/entry-view.ts'
import type { ServerHold } from '../servers/server-hold.ts'
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
  authFor(hold: ServerHold): ClientAuth | undefined
  /** Forgets a server that was removed, and its tokens. */
  forget(hold: ServerHold): Promise<void>
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

interface Held extends GrantWatch {
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
  const all = new Map<string, Held>()

  function heldFor(server: string): Held {
    const known = all.get(server)
    if (known !== undefined) return known
    const held: Held = {
      view: { server, state: 'none', steps: [] },
      learned: {},
      isSigningIn: false,
    }
    all.set(server, held)
    return held
  }

  function change(held: Held, changed: Partial<AuthView>): void {
    held.view = { ...held.view, ...changed }
    emit('auth/changed', held.view)
  }

  function addStep(hold: ServerHold, step: Step): void {
    const held = heldFor(hold.name)
    const full: AuthStep = { server: hold.name, at: Date.now(), ...step }
    hold.tap.add({ kind: 'auth', text: step.title, details: JSON.parse(JSON.stringify(step)) })
    const { issuer } = held.learned
    change(held, {
      steps: [...held.view.steps, full].slice(-maxSteps),
      ...(issuer !== undefined && { issuer }),
    })
  }

  async function show(hold: ServerHold, url: URL): Promise<void> {
    const held = heldFor(hold.name)
    if (!held.isSigningIn) {
      const { needs } = held.view
      throw new ProblemError('sign_in_needed', `${hold.name} requires sign-in`, {
        hint: needs ? `It needs ${needs.join(' ')}: see the Auth tab.` : 'Sign in on the Auth tab.',
      })
    }
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new ProblemError(
        'address_refused',
        `a browser is not sent to ${url.protocol} addresses`,
      )
    }
    addStep(hold, {
      from: 'client',
      to: 'browser',
      title: 'Send the user to the issuer',
      request: { url: url.origin + url.pathname, ...Object.fromEntries(withoutSecrets(url)) },
    })
    change(held, { openUrl: url.href })
    held.stepUp?.onConsent(url)
    if (!noOpen) await openBrowser(url).catch(() => undefined) // the page shows the address as well
  }

  function authFor(hold: ServerHold): ClientAuth | undefined {
    const { entry, name } = hold
    if (isCommand(entry) || !/^https?:/.test(entry.url)) return undefined
    const isGiven = Object.keys(entry.headers ?? {}).some(
      (key) => key.toLowerCase() === 'authorization',
    )
    if (isGiven) return undefined
    const held = heldFor(name)
    const { clientId, clientSecret, scope } = held
    const inner = browserAuth({
      store: watchStore(openStore(name, entry.url).store, held),
      clientName: 'Parley Inspector',
      fetch: recordedFetch(hold),
      open: (url) => show(hold, url),
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
        const isAsking = held.view.openUrl !== undefined && token === held.token
        if (token !== undefined && !isAsking) {
          held.token = token
          signedIn(held, token)
        }
        return headers
      },
      async challenged(refusal) {
        addStep(hold, {
          from: 'server',
          to: 'client',
          title: `The server refuses: ${refusal.status}`,
          response: { status: refusal.status, 'www-authenticate': refusal.wwwAuthenticate },
        })
        held.stepUp?.onRefusal(refusal.status, refusal.wwwAuthenticate)
        const { isInsufficientScope, scopes: needs } = readScopeChallenge(refusal.wwwAuthenticate)
        if (held.isSigningIn) change(held, { state: 'signing-in' })
        else if (isInsufficientScope && needs !== undefined) change(held, { needs })
        return inner.challenged(refusal)
      },
    }
  }

  function signedIn(held: Held, token: string): void {
    const { issuer, scopes, expiresAt } = held.learned
    const claims = claimsOf(token)
    const { exp, scope } = claims ?? {}
    const until = typeof exp === 'number' ? exp * 1000 : expiresAt
    const given = typeof scope === 'string' ? scope.split(' ') : scopes
    const { openUrl: _, needs, ...rest } = held.view
    const isEnough = needs?.every((one) => given?.includes(one)) ?? true
    const next: AuthView = {
      ...rest,
      ...(!isEnough && { needs }),
      state: 'signed-in',
      ...(issuer !== undefined && { issuer }),
      ...(given !== undefined && { scopes: given }),
      ...(until !== undefined && { expiresAt: until }),
      ...(claims !== undefined && { claims }),
    }
    if (JSON.stringify(next) === JSON.stringify(held.view)) return
    held.view = next
    emit('auth/changed', next)
  }

  function recordedFetch(hold: ServerHold): typeof fetch {
    const { learned } = heldFor(hold.name)
    return recordSignIn(createSafeFetch({ network: 'any' }), (step) => addStep(hold, step), learned)
  }

  /** While this goes on, browsers may be opened. Only one at a time. */
  async function withPerson<T>(held: Held, work: () => Promise<T>): Promise<T> {
    if (held.isSigningIn) throw new ProblemError('signing_in', 'a sign-in is already in progress')
    held.isSigningIn = true
    try {
      return await work()
    } finally {
      held.isSigningIn = false
    }
  }

  async function signIn(hold: ServerHold, isRenewing: boolean): Promise<void> {
    const held = heldFor(hold.name)
    held.isRenewing = isRenewing
    held.token = undefined
    const { openUrl: _, needs: __, signedOut: ___, stepUp: ____, ...rest } = held.view
    held.view = rest
    change(held, { state: 'signing-in', steps: [] })
    try {
      await servers().handlers['servers/disconnect']({ name: hold.name })
      await servers().connect(hold)
      if (held.view.state !== 'signed-in') change(held, { state: 'none' }) // it wanted no token
    } catch (error) {
      const { message: title } = toProblem(error)
      addStep(hold, { from: 'client', to: 'browser', title, failed: true })
      change(held, { state: 'refused' })
    } finally {
      held.isRenewing = false
    }
  }

  async function stepUp(
    hold: ServerHold,
    { tool, arguments: args }: Methods['auth/step-up']['params'],
  ): Promise<void> {
    const { name: server } = hold
    const held = heldFor(server)
    const report = createStepUpReport(tool, held.view.scopes, () =>
      change(held, { stepUp: report.view }),
    )
    held.stepUp = report
    change(held, { stepUp: report.view })
    try {
      const outcome = await parts.call({
        server,
        run: crypto.randomUUID(),
        method: 'tools/call',
        params: { name: tool, arguments: args },
        timeoutMs: signInMs,
      })
      report.onEnd(outcome, held.view.scopes)
      const { openUrl: _, ...rest } = held.view
      held.view = rest
      change(held, { state: held.token === undefined ? 'none' : 'signed-in' })
    } catch (error) {
      const { stepUp: _, ...rest } = held.view
      held.view = rest
      throw error
    } finally {
      held.stepUp = undefined
    }
  }

  function requireUrl(hold: ServerHold): string {
    if (!isCommand(hold.entry)) {
      requireRunnable(hold)
      return hold.entry.url
    }
    throw new ProblemError('not_http', `${hold.name} is a command: commands have no sign-in`)
  }

  return {
    authFor,
    async forget(hold) {
      all.delete(hold.name)
      if (!isCommand(hold.entry)) await openStore(hold.name, hold.entry.url).forget()
    },
    handlers: {
      'auth/get': ({ server }) => heldFor(servers().find(server).name).view,

      async 'auth/sign-in'({ server, clientId, clientSecret, scope }) {
        const hold = servers().find(server)
        requireUrl(hold)
        const held = heldFor(server)
        await withPerson(held, async () => {
          Object.assign(held, { clientId, clientSecret, scope })
          if (clientSecret !== undefined) onSecret(clientSecret)
          await signIn(hold, true)
        })
        return held.view
      },

      async 'auth/step-up'(asked) {
        const hold = servers().find(asked.server)
        requireUrl(hold)
        const held = heldFor(hold.name)
        const isRenewing = asked.scope !== undefined
        await withPerson(held, async () => {
          if (isRenewing) held.scope = asked.scope
          if (isRenewing || hold.client === undefined) {
            await signIn(hold, isRenewing)
            if (held.view.state === 'refused') return
          }
          await stepUp(hold, asked)
        })
        return held.view
      },

      async 'auth/sign-out'({ server }) {
        const hold = servers().find(server)
        const url = requireUrl(hold)
        await servers().handlers['servers/disconnect']({ name: server })
        const before = heldFor(server)
        const tokens = openStore(server, url)
        const { clientId, clientSecret, key, token } = before
        const signedOut = await signOutOfServer({
          url,
          key,
          token,
          options: { store: tokens.store, fetch: recordedFetch(hold), clientId, clientSecret },
          onStep: (step) => addStep(hold, step),
        })
        await tokens.forget()
        const { steps } = heldFor(server).view
        all.delete(server)
        const held = heldFor(server)
        change(held, { steps, signedOut })
        return held.view
      },

      async 'auth/test'({ server, test }) {
        const hold = servers().find(server)
        return testRejection(requireUrl(hold), test, heldFor(server).learned.issuer)
      },
    },
  }
}

/** What an authorization request says, without what would let others end it. */
function withoutSecrets(url: URL): [string, string][] {
  return [...url.searchParams].filter(([name]) => name !== 'state' && name !== 'code_challenge')
}
