import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

/** What a server says of itself, without descriptions, to a client that can do all there is in 2025-11-25. */
export interface Listed {
  readonly server: Described
  readonly tools: readonly Described[]
  readonly prompts: readonly Described[]
  readonly resources: readonly Described[]
  readonly templates: readonly Described[]
}
export interface Described {
  readonly [member: string]: unknown
}

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

/** Asks a program by plain messages: no client of ours can do everything that is declared here. */
export async function listedBy(program: string, lastTool: string): Promise<Listed> {
  const child = spawn(execPath, [program, 'stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (result: Described) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const { id, result } = JSON.parse(line, withoutWords) as { id?: number; result?: Described }
    if (id !== undefined && result !== undefined) waiting.get(id)?.(result)
  })
  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  function ask(method: string, params: object = {}): Promise<Described> {
    const id = waiting.size + 1
    send({ id, method, params })
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  async function list(method: string, member: string): Promise<readonly Described[]> {
    return (await ask(method))[member] as readonly Described[] // what the method answers with
  }

  const clientInfo = { name: 'golden', version: '1' }
  const server = await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo,
  })
  send({ method: 'notifications/initialized' })
  let tools = await list('tools/list', 'tools')
  // The reference adds some of its tools a moment later.
  while (!tools.some(({ name }) => name === lastTool)) tools = await list('tools/list', 'tools')
  const prompts = await list('prompts/list', 'prompts')
  const resources = await list('resources/list', 'resources')
  const templates = await list('resources/templates/list', 'resourceTemplates')
  child.stdin.end()
  return { server, tools, prompts, resources, templates }
}

/** Descriptions are each server's own, and a dialect nobody has to name says nothing. */
function withoutWords(key: string, value: unknown): unknown {
  return key === 'description' || key === '$schema' || key === 'instructions' ? undefined : value
}
