import type { Client } from '../client/client.ts'
import { createClient } from '../client/create-client.ts'
import { loadParts } from '../client/lazy-parts.ts'
import type { ConnectOptions } from '../client/options.ts'
import type { AuthInfo } from '../rpc/auth-info.ts'
import type { Frame } from '../rpc/frame.ts'
import { type Transport, wrapTransport } from '../rpc/transport.ts'
import type { Revision } from '../schema/revision.ts'
import type { ToolMap } from '../schema/tools.ts'
import type { Server } from '../server/server.ts'
import { createTransportPair } from '../transport/memory.ts'
import { withFaults, type Faults } from './faults.ts'
import { untilIdle } from './virtual-clock.ts'

/** The options of `connect`, and some for tests only. */
export interface TestOptions extends Omit<ConnectOptions, 'protocolVersion' | 'reconnect'> {
  /** @defaultValue the newest we speak */
  readonly revision?: Revision | undefined
  /** How messages travel: as objects, or as text. @defaultValue 'objects' */
  readonly through?: 'objects' | 'text' | undefined
  /** The verified caller, as a guard would have found it. */
  readonly caller?: AuthInfo | undefined
  /** Faults in messages on the way. @defaultValue nothing */
  readonly faults?: Faults | undefined
}

/** A client that shows and controls what crosses. */
export interface TestClient<Tools extends ToolMap<Tools>> extends Client<Tools> {
  /** Everything that crossed, in order, as the client saw it. */
  readonly frames: readonly Frame[]
  /** Cuts the connection, as a crash would. */
  cut(): void
  /** Waits until neither side has anything left to do without time passing. */
  idle(): Promise<void>
}

/** A client in this process, in one line, with everything a test wants to own. */
export async function createTestClient<App, Tools extends ToolMap<Tools>>(
  server: Server<App, Tools>,
  options: TestOptions = {},
): Promise<TestClient<Tools>> {
  const { revision, through, caller, faults, onMessage, ...rest } = options
  await loadParts() // so that what needs no time to pass takes none
  const frames: Frame[] = []
  const [near, far] = createTransportPair({ text: through === 'text' })
  const { clock, limits } = options
  server['~serve'](far, { clock, limits, auth: caller }) // its faults go to its own onError
  const cuttable = withCut(faults ? withFaults(near, { clock: options.clock, ...faults }) : near)
  const client = await createClient(() => cuttable.transport, {
    onError: () => undefined, // a test looks at frames and results
    ...rest,
    protocolVersion: revision ?? 'auto',
    onMessage(frame) {
      frames.push(frame)
      onMessage?.(frame)
    },
  })
  const extras = { frames, cut: cuttable.cut, idle: untilIdle }
  const own: object = Object.defineProperties({}, Object.getOwnPropertyDescriptors(client))
  const use = (...middleware: [never, never]): object => {
    client.use(...middleware)
    return own
  }
  return Object.assign(own, { ...extras, use }) as unknown as TestClient<Tools> // the client and three members more
}

function withCut(transport: Transport): { readonly transport: Transport; cut(): void } {
  let end: ((error: unknown) => void) | undefined
  return {
    transport: wrapTransport(transport, {
      sink(sink) {
        end = (error) => sink.end(error)
        return {}
      },
    }),
    cut() {
      end?.(new Error('the connection was cut'))
      void transport[Symbol.asyncDispose]()
    },
  }
}

/** A caller for tests; what is not given is filled in. */
export function testAuth(
  auth: Partial<Omit<AuthInfo, 'scopes'>> & { readonly scopes?: readonly string[] } = {},
): AuthInfo {
  return {
    issuer: 'https://issuer.test',
    subject: 'test-user',
    clientId: 'test-client',
    audience: ['https://server.test'],
    expiresAt: Date.now() + 3_600_000,
    claims: {},
    ...auth,
    scopes: new Set(auth.scopes),
  }
}
