/**
 * Code mode of a host: which tools a model is told of that writes programs, and the sandbox that they run in. `run-program.ts` runs
 * one program and makes its calls.
 *
 * Guarantees: `@parley/code` is loaded with the first request to a model in this mode, and the sandbox with the first program; a host
 * that never uses it loads neither.
 */

import type * as Code from '@parley/code'
import type { CodeTool, CodeTools, Sandbox, SandboxLimits } from '@parley/code'
import { withoutHiddenIn } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import {
  defaultWindow,
  type ContextOptions,
  type ToolSelection,
} from '../context/tool-selection.ts'
import type { ModelTool } from '../models/model.ts'
import type { RegisteredTool, ToolRegistry } from '../tools/tool-registry.ts'
import { createCallRate, type CallRate } from '../turn/limits.ts'

/** How a host runs programs. */
export interface CodeModeOptions {
  /** Bounds of programs. */
  readonly limits?: SandboxLimits | undefined
  /** Calls of all programs in a minute; further ones wait. @defaultValue 1_200 */
  readonly callsPerMinute?: number | undefined
}

/** Code mode of one host. */
export interface CodeMode extends AsyncDisposable {
  readonly rate: CallRate
  /** Tools for a model that holds so many tokens. */
  select(windowTokens: number | undefined, options: ContextOptions): ToolSelection
  /** The package, loaded when it is first needed. */
  load(): Promise<CodePackage>
  /** The sandbox, started with the first program. */
  sandbox(): Promise<Sandbox>
  /** Notes what a tool without an output schema answered. */
  noteShape(name: string, shape: string): void
}

type CodePackage = typeof Code

/** The tools of code mode, and what they were made of. */
interface MadeTools {
  readonly of: readonly RegisteredTool[]
  readonly tools: CodeTools
}

/** Declarations never take more, however large the window is. */
const maxDeclarationTokens = 4_000

/** Loads nothing yet. */
export function createCodeMode(registry: ToolRegistry, options: CodeModeOptions): CodeMode {
  const shapes = new Map<string, string>()
  /** By the tokens that declarations may take. */
  const made = new Map<number, MadeTools>()
  let loading: Promise<CodePackage> | undefined
  let sandbox: Promise<Sandbox> | undefined

  function load(): Promise<CodePackage> {
    loading ??= import('@parley/code').catch((error: unknown) => {
      loading = undefined
      const message = `code mode needs @parley/code: npm install @parley/code (${errorMessage(error)})`
      throw new Error(message, { cause: error })
    })
    return loading
  }

  function select(
    windowTokens: number = defaultWindow,
    { pinned = [], share = 0.1 }: ContextOptions,
  ): ToolSelection {
    const declarationTokens = Math.min(windowTokens * share, maxDeclarationTokens)
    const isPinned = ({ connection, tool }: RegisteredTool) =>
      pinned.some(
        (pin) => pin.server === connection.server.name && (pin.tool ?? tool.name) === tool.name,
      )

    async function toolsOfNow(): Promise<CodeTools> {
      const { createCodeTools } = await load()
      const all = registry.enabled()
      const known = made.get(declarationTokens)
      if (known !== undefined && isSame(known.of, all)) return known.tools
      const tools = createCodeTools(all.map(describe), {
        declarationTokens,
        seen: (name) => shapes.get(name),
      })
      made.set(declarationTokens, { of: all, tools })
      return tools
    }

    return {
      tools(): readonly ModelTool[] {
        const direct = registry.enabled().filter(isPinned)
        return [
          ...direct.map(({ shown }) => shown),
          ...(made.get(declarationTokens)?.tools.definitions ?? []),
        ]
      },
      async ready() {
        await toolsOfNow()
      },
      async answer(name, args) {
        if (registry.find(name) !== undefined) return undefined
        const { findToolsName, runCodeName } = await load()
        if (name === findToolsName) return { kind: 'text', ...(await toolsOfNow()).find(args) }
        if (name !== runCodeName) return undefined
        const { code } = args
        if (typeof code === 'string') return { kind: 'program', source: code }
        const text = `${runCodeName} was not run: give "code", a text with the body of an async function`
        return { kind: 'text', text, isError: true }
      },
      noteUse: () => undefined,
    }
  }

  return {
    rate: createCallRate(options.callsPerMinute ?? 1_200),
    select,
    load,
    sandbox() {
      sandbox ??= load().then(({ createSandbox }) => createSandbox({ limits: options.limits }))
      return sandbox
    },
    noteShape: (name, shape) => void shapes.set(name, shape),
    async [Symbol.asyncDispose]() {
      // What could not be loaded needs no end.
      const started = await sandbox?.catch(() => undefined)
      await started?.[Symbol.asyncDispose]()
    },
  }
}

/** As the model may see it: nothing hidden, and an output schema too. */
function describe({ name, connection, tool, shown }: RegisteredTool): CodeTool {
  const { outputSchema } = tool
  return {
    name,
    server: connection.server.name,
    description: shown.description,
    inputSchema: shown.inputSchema,
    ...(outputSchema !== undefined && {
      outputSchema: withoutHiddenIn(outputSchema as JsonObject).value, // it came as JSON
    }),
  }
}

function isSame(one: readonly RegisteredTool[], other: readonly RegisteredTool[]): boolean {
  return one.length === other.length && one.every((tool, at) => tool === other[at])
}
