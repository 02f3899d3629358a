import {
  createConsent,
  readRules,
  type AskPerson,
  type ConsentOptions,
  type ConsentQuestion,
  type ConsentRules,
  type ProposedCall,
} from '@parley/host'
import type { JsonObject, Tool } from '@parley/mcp'

/** A call of `fs/write_file`, with what a test changes. */
export function proposed(change: Partial<ProposedCall> = {}): ProposedCall {
  return {
    id: 'call-1',
    server: 'fs',
    serverHash: 'command-1',
    tool: toolNamed('write_file'),
    arguments: {},
    flow: { untrusted: false, private: false },
    by: 'model',
    ...change,
  }
}

/** A tool that takes anything. */
export function toolNamed(name: string, change: Partial<Tool> = {}): Tool {
  return { name, inputSchema: { type: 'object' }, ...change }
}

/** Rules that have no mistakes. */
export function rulesOf(
  rules: readonly JsonObject[],
  more: JsonObject = {},
  options: Parameters<typeof readRules>[1] = {},
): ConsentRules {
  const read = readRules({ rules, ...more }, { file: 'rules.json', ...options })
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return read.rules
}

/** A consent whose audit and questions a test can look at. */
export function consentWith(options: Partial<ConsentOptions> = {}) {
  const records: JsonObject[] = []
  const asked: (readonly ConsentQuestion[])[] = []
  const { ask } = options
  const received: AskPerson | undefined =
    ask &&
    ((questions, signal) => {
      asked.push(questions)
      return ask(questions, signal)
    })
  const consent = createConsent({
    audit: {
      append: async (record) => {
        records.push(record)
        return { written: true, seq: records.length, hash: '' }
      },
    },
    ...options,
    ask: received,
  })
  return {
    consent,
    records,
    asked,
    decideOne: async (call: ProposedCall, signal = new AbortController().signal) => {
      const [decision] = await consent.decide([call], signal)
      if (decision === undefined) throw new Error('there was no decision')
      return decision
    },
  }
}
