/**
 * The two tools by which a model writes programs: `run_code`, and `find_tools` where the declarations of all tools do not fit
 * beside it. Used by the host, by adapters and by the gateway, which each run the program in their own way.
 */

import type { JsonObject } from '@parley/mcp'
import { createToolIndex } from '@parley/tools'

import { createDeclarations, type CodeTool } from './declarations.ts'

/** A tool as a model is told of it. */
export interface CodeToolDefinition {
  /** What the model calls it. */
  readonly name: string
  /** What it does, with the declarations that fit. */
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject
}

/** How much the definitions may take. */
export interface CodeToolsOptions {
  /** Declarations of all tools stand in the definition while they take no more tokens than this. @defaultValue 4_000 */
  readonly declarationTokens?: number | undefined
  /** What a tool without an output schema has answered so far, as a type. */
  seen?(name: string): string | undefined
}

/** What a model is told, and what it finds. */
export interface CodeTools {
  /** The definitions for the model. */
  readonly definitions: readonly CodeToolDefinition[]
  /** The answer to `find_tools`: declarations for each phrase. Types and tools in `known` are left out. */
  find(args: JsonObject, known?: Set<string>): { readonly text: string; readonly isError: boolean }
}

/** The name of the tool that runs a program. */
export const runCodeName = 'run_code'
/** The name of the tool that finds declarations. */
export const findToolsName = 'find_tools'

const perPhrase = 5
const maxPhrases = 10

/** The tools for a set of tools as they are now. */
export function createCodeTools(
  tools: readonly CodeTool[],
  { declarationTokens = 4_000, seen }: CodeToolsOptions = {},
): CodeTools {
  const sorted = tools.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const declarations = createDeclarations(sorted, seen)
  // An empty description and no schema take ten tokens: with more tools than that nothing has to be written to know it.
  const canFit = sorted.length * 10 <= declarationTokens
  const all = canFit ? declarations.write(sorted.map(({ name }) => name)) : ''
  const isWhole = canFit && Buffer.byteLength(all) / 4 <= declarationTokens
  let index: ReturnType<typeof createToolIndex> | undefined

  return {
    definitions: isWhole
      ? [runCode(`The tools:\n\n${all}`)]
      : [
          runCode(
            `${serversOf(sorted)}. Look up declarations with ${findToolsName} before you call a tool.`,
          ),
          findTools,
        ],
    find(args, known = new Set()) {
      const phrases = phrasesOf(args)
      if (phrases.length === 0) {
        const text = `give "phrases": a list with one phrase for each step, such as ["list customers", "send mail"]`
        return { text, isError: true }
      }
      index ??= createToolIndex({ tools: () => sorted.map(searchable) })
      const parts = phrases.map((phrase) => {
        const names =
          index?.search(phrase, { limit: perPhrase }).found.map(({ tool }) => tool.name) ?? []
        const fresh = names.filter((name) => !known.has(name))
        const text = declarations.write(fresh, known)
        for (const name of fresh) known.add(name)
        if (names.length === 0) return `// ${oneLine(phrase)}: no tool`
        const again = names.length - fresh.length
        const note = again === 0 ? '' : ` (${again} shown before)`
        return `// ${oneLine(phrase)}${note}${text === '' ? '' : `\n${text}`}`
      })
      return { text: parts.join('\n\n'), isError: false }
    },
  }
}

const findTools: CodeToolDefinition = {
  name: findToolsName,
  description: `Finds tools for ${runCodeName} and answers with their declarations in TypeScript. Give one phrase for each step of the task, in one call.`,
  inputSchema: {
    type: 'object',
    properties: {
      phrases: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: maxPhrases,
        description: 'such as ["list customers", "open invoices of a customer"]',
      },
    },
    required: ['phrases'],
  },
}

function runCode(tools: string): CodeToolDefinition {
  return {
    name: runCodeName,
    description: `Runs a JavaScript program that calls tools, and answers with what it returns. Write the body of an async function.
- tools.NAME(args) promises the result as data. A failed call throws.
- Only the returned value and console.log come back to you. Join, count and filter in the program, and return little.
- Follow nextCursor until it is missing. Make independent calls with Promise.all.
- Plain JavaScript: no types, no imports, no network, no timers except await sleep(ms).

${tools}`,
    inputSchema: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          description: 'the body of an async function; begin with a comment that says what it does',
        },
      },
      required: ['code'],
    },
  }
}

/** Which servers there are, with their numbers of tools. */
function serversOf(tools: readonly CodeTool[]): string {
  const counts = new Map<string, number>()
  for (const { server } of tools) counts.set(server, (counts.get(server) ?? 0) + 1)
  const all = [...counts].map(([server, count]) => `${oneLine(server)} (${count})`).join(', ')
  return `There are ${tools.length} tools of these servers: ${all}`
}

function phrasesOf({ phrases, query }: JsonObject): readonly string[] {
  const given = Array.isArray(phrases) ? phrases : [phrases ?? query]
  return given
    .filter((phrase): phrase is string => typeof phrase === 'string' && phrase.trim() !== '')
    .slice(0, maxPhrases)
}

function searchable({ name, server, description, inputSchema }: CodeTool) {
  return {
    name,
    keywords: server,
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema }),
  }
}

function oneLine(text: string): string {
  return text.slice(0, 200).replaceAll(/[^\P{C}]+|\s+/gu, ' ')
}
