import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

/** Something in a message. */
export interface Described {
  readonly [member: string]: unknown
}

/** Plain messages to a program: no client of ours can do everything that is declared here. */
export interface PlainClient extends Disposable {
  /** What the server said of itself. */
  readonly server: Described
  ask(method: string, params?: object): Promise<Described>
}

/** The result of a question of the server's; undefined refuses it. */
export type Answer = (method: string, params: Described) => object | undefined

const capabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Described
  readonly result?: Described
}

/** A client that can do all there is in 2025-11-25. */
export async function openPlainClient(program: string, answer?: Answer): Promise<PlainClient> {
  const child = spawn(execPath, [program, 'stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (result: Described) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const { id, method, params = {}, result } = JSON.parse(line) as Message
    if (id === undefined) return
    if (method === undefined) return waiting.get(id)?.(result ?? {})
    const given = answer?.(method, params)
    send(given ? { id, result: given } : { id, error: { code: -32601, message: 'not here' } })
  })
  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  function ask(method: string, params: object = {}): Promise<Described> {
    const id = waiting.size + 1
    send({ id, method, params })
    return new Promise((resolve) => waiting.set(id, resolve))
  }

  const clientInfo = { name: 'plain', version: '1' }
  const protocolVersion = '2025-11-25'
  const server = await ask('initialize', { protocolVersion, capabilities, clientInfo })
  send({ method: 'notifications/initialized' })
  return { server, ask, [Symbol.dispose]: () => void child.stdin.end() }
}

/** The reference adds some of its tools a moment later; this one is the last. */
export async function untilListed(client: PlainClient): Promise<readonly Described[]> {
  for (;;) {
    const { tools } = (await client.ask('tools/list')) as { tools: readonly Described[] } // what it answers with
    if (tools.some(({ name }) => name === 'trigger-elicitation-request-async')) return tools
  }
}
