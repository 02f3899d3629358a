import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

import { rolldown } from 'rolldown'

/** A Worker in the runtime of Cloudflare, with Durable Objects on disk. */
export interface TestWorker extends AsyncDisposable {
  /** Where it listens; another port after a restart. */
  url(): URL
  /** Ends the runtime at once and starts it again on the same storage, as when an object is moved. */
  restart(): Promise<void>
}

/** What a Worker is made of. */
export interface TestWorkerOptions {
  /** The module with the Worker's `fetch`, which exports the classes of its objects too. */
  readonly entry: string
  /** Classes of objects by the names of their bindings. */
  readonly objects: Readonly<Record<string, string>>
  /** Texts by the names of their bindings. */
  readonly texts?: Readonly<Record<string, string>>
}

/** Bundles a Worker from its sources and runs it. */
export async function startWorker(options: TestWorkerOptions): Promise<TestWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-worker-'))
  const clean = (): void => rmSync(folder, { recursive: true, force: true })
  let running = await prepare(folder, options).catch((error: unknown) => {
    clean()
    throw error
  })
  return {
    url: () => new URL(`http://127.0.0.1:${running.port}/mcp`),
    async restart() {
      await running.end()
      running = await run(folder)
    },
    async [Symbol.asyncDispose]() {
      await running.end()
      clean()
    },
  }
}

async function prepare(folder: string, options: TestWorkerOptions): Promise<Running> {
  mkdirSync(join(folder, 'storage'))
  const modules = await bundle(options.entry, join(folder, 'modules'))
  writeFileSync(join(folder, 'config.capnp'), configOf(options, modules))
  return run(folder)
}

/** The names of the modules it has written, the entry first. */
async function bundle(entry: string, dir: string): Promise<readonly string[]> {
  const made = await rolldown({
    input: entry,
    platform: 'neutral',
    external: /^node:/,
    tsconfig: false,
    resolve: { conditionNames: ['@parley/source', 'workerd', 'worker', 'import', 'default'] },
  })
  const { output } = await made.write({ dir })
  await made.close()
  return output.map(({ fileName }) => fileName)
}

function configOf({ objects, texts = {} }: TestWorkerOptions, modules: readonly string[]): string {
  const files = modules.map((name) => `(name = "${name}", esModule = embed "modules/${name}")`)
  const classes = [...new Set(Object.values(objects))]
  const spaces = Object.entries(objects).map(
    ([name, className]) =>
      `(name = "${name}", durableObjectNamespace = (className = "${className}"))`,
  )
  const bound = Object.entries(texts).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  )
  const kept = classes.map(
    (name) => `(className = "${name}", uniqueKey = "${name}", enableSql = true)`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${files.join(', ')}],
      compatibilityDate = "2026-01-01",
      compatibilityFlags = ["nodejs_compat"],
      bindings = [${[...spaces, ...bound].join(', ')}],
      durableObjectNamespaces = [${kept.join(', ')}],
      durableObjectStorage = (localDisk = "storage"),
    )),
    (name = "storage", disk = (path = "storage", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`
}

interface Running {
  readonly port: number
  end(): Promise<void>
}

async function run(folder: string): Promise<Running> {
  const path = String(createRequire(import.meta.url)('workerd').default)
  const child = spawn(path, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const ended = once(child, 'exit')
  const control = child.stdio[3] as Readable // as `stdio` above says
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(control).on('line', (line) => {
      const { event, port: listening } = JSON.parse(line) as { event: string; port: number }
      if (event === 'listen') resolve(listening)
    })
    void ended.then(([code]) => reject(new Error(`workerd ended with ${String(code)}`)))
  })
  return {
    port,
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
