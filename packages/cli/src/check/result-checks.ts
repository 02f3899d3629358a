import { compileJsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { excerpt, member, objectsOf, type JsonObject } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { harmlessCalls } from './harmless-calls.ts'
import { codeOf, describe } from './legacy-peer.ts'

/** What comes of tools that were called. */
export const resultChecks: readonly Check[] = [
  {
    ids: ['TOOL-09', 'TOOL-16', 'SCH-15'],
    level: 'MUST',
    rule: 'results of tools have content, and match the outputSchema',
    async run(peer) {
      const calls = await harmlessCalls(peer)
      for (const { tool, found } of calls) {
        const problem = resultProblem(found, tool)
        if (problem === undefined) continue
        const fix = 'Return content, and structuredContent that matches the outputSchema.'
        return broken(`${excerpt(tool['name'], 60)}: ${problem}`, fix, { got: found.answer })
      }
      return calls.length === 0
        ? skipped('no read-only tool can be called without arguments')
        : kept
    },
  },
  {
    ids: ['TOOL-15'],
    level: 'SHOULD',
    rule: 'structured content is also returned as text, for clients that do not support it',
    async run(peer) {
      const calls = (await harmlessCalls(peer)).filter(
        ({ found }) => member(found.answer?.['result'], 'structuredContent') !== undefined,
      )
      const bare = calls.find(({ found }) => !hasText(found.answer?.['result']))
      if (bare !== undefined) {
        return broken(
          `that of ${excerpt(bare.tool['name'], 60)} is not`,
          'Add it as JSON in a text block.',
          {
            got: bare.found.answer,
          },
        )
      }
      return calls.length === 0 ? skipped('no structured content was seen') : kept
    },
  },
  {
    ids: ['PROG-04', 'PROG-07'],
    level: 'MUST',
    rule: 'progress has the token of its request, and increases',
    async run(peer) {
      const notificationsByCall = (await harmlessCalls(peer)).map(({ found, token }) =>
        found.messages
          .filter(({ method }) => method === 'notifications/progress')
          .map(({ params }) => ({ token, params })),
      )
      for (const steps of notificationsByCall) {
        const wrong = steps.find(({ token, params }, at) => {
          const before =
            at === 0 ? Number.NEGATIVE_INFINITY : member(steps[at - 1]?.params, 'progress')
          const isRising = Number(member(params, 'progress')) > Number(before)
          return member(params, 'progressToken') !== token || !isRising
        })
        if (wrong !== undefined) {
          return broken(
            `for the token ${wrong.token} the server sent ${excerpt(wrong.params, 100)}`,
            'Return the token unchanged, and increase progress.',
            { got: steps.map(({ params }) => params) },
          )
        }
      }
      return notificationsByCall.flat().length === 0 ? skipped('no progress was reported') : kept
    },
  },
]

function resultProblem(found: Exchange, tool: JsonObject): string | undefined {
  if (codeOf(found) !== undefined) return undefined // it may have its reasons
  const result = found.answer?.['result']
  if (!isJsonObject(result)) return describe(found)
  if (!Array.isArray(result['content'])) return 'its result has no content'
  const { outputSchema } = tool
  if (!isJsonObject(outputSchema) || result['isError'] === true) return undefined
  if (result['structuredContent'] === undefined) return 'its result has no structuredContent'
  const issues = compileJsonSchema(outputSchema)(result['structuredContent'])
  const [first] = issues ?? []
  return first === undefined ? undefined : `structuredContent ${first.message}`
}

/** Whether a text of the result holds its structured content. */
function hasText(result: unknown): boolean {
  const wanted = canonical(member(result, 'structuredContent'))
  return objectsOf(member(result, 'content')).some(({ text }) => {
    try {
      return typeof text === 'string' && canonical(JSON.parse(text)) === wanted
    } catch {
      return false // some other text
    }
  })
}

/** The order of members says nothing. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    isJsonObject(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
