import { member, objectsOf } from '../json.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { expectCode } from './expect-code.ts'
import { describe } from './legacy-peer.ts'

/** Prompts and what completes their arguments, as far as they are declared. */
export const promptChecks: readonly Check[] = [
  {
    ids: ['PROMPT-10'],
    level: 'SHOULD',
    rule: 'an unknown prompt is refused with -32602',
    async run(peer) {
      if (!('prompts' in peer.capabilities)) return skipped('the server has no prompts')
      const found = await peer.ask('prompts/get', { name: 'parley_no_such_prompt' })
      return expectCode(found, [-32602], 'Answer -32602.')
    },
  },
  {
    ids: ['PROMPT-11'],
    level: 'SHOULD',
    rule: 'a prompt without a required argument is refused with -32602',
    async run(peer) {
      const prompts = await peer.list('prompts')
      const prompt = prompts.find(({ arguments: declared }) =>
        objectsOf(declared).some(({ required }) => required === true),
      )
      if (prompt === undefined) return skipped('no prompt has a required argument')
      const found = await peer.ask('prompts/get', { name: prompt['name'] ?? '' })
      return expectCode(found, [-32602], 'Answer -32602 and name the argument.')
    },
  },
  {
    ids: ['COMP-04'],
    level: 'MUST',
    rule: 'completions have at most 100 values',
    async run(peer) {
      if (!('completions' in peer.capabilities)) return skipped('the server has no completions')
      const prompt = (await peer.list('prompts')).find(
        ({ arguments: declared }) => objectsOf(declared).length > 0,
      )
      if (prompt === undefined) return skipped('no prompt has an argument')
      const [argument] = objectsOf(prompt['arguments'])
      const found = await peer.ask('completion/complete', {
        ref: { type: 'ref/prompt', name: prompt['name'] ?? '' },
        argument: { name: argument?.['name'] ?? '', value: '' },
      })
      const values = member(member(found.answer?.['result'], 'completion'), 'values')
      const isFine =
        Array.isArray(values) &&
        values.length <= 100 &&
        values.every((value) => typeof value === 'string')
      return isFine
        ? kept
        : broken(
            Array.isArray(values) ? `${values.length} values` : describe(found),
            'Return at most 100 strings in completion.values.',
            { got: found.answer },
          )
    },
  },
]
