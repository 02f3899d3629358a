import { parseJson } from '@parley/foundation/forms'
import type { SamplingAnswer, SamplingDecision, SamplingReview } from '@parley/host'

import { flat, line, paragraph, type Line } from '../line.ts'
import { keyLine, wordOf, type Sheet, type SheetStep } from './sheet.ts'
import { editorSheet } from './text-editor.ts'

type Allowed = Extract<SamplingDecision, { decision: 'allow' }>
type Messages = SamplingReview['request']['messages']

/** Shows what a server wants of the model, before anything is sent. */
export function samplingSheet(
  review: SamplingReview,
  changed: Omit<Allowed, 'decision'> = {},
): Sheet {
  const { server, request, models } = review
  const { messages = request.messages, model = review.model } = changed
  const { systemPrompt = request.systemPrompt, maxTokens = review.maxTokens } = changed
  const decide = (decision: SamplingDecision): SheetStep => ({
    kind: 'answer',
    answer: { kind: 'sampling', decision },
  })
  return {
    lines: (width) => [
      line(`${flat(server, 80)} wants an answer of the model`, 'bold'),
      ...paragraph(
        model === review.model ? `${model}: ${review.why}` : `${model}: you chose it`,
        width,
        'dim',
        '  ',
      ),
      ...paragraph(
        `at most ${maxTokens} tokens; ${contextText(request.includeContext)}`,
        width,
        'dim',
        '  ',
      ),
      ...(systemPrompt === undefined
        ? []
        : [line('Instructions', 'dim'), ...paragraph(systemPrompt, width, 'plain', '  │ ')]),
      ...messageLines(messages, width),
    ],
    keys: keyLine([
      ['y', 'send it'],
      ['s', 'always in this session'],
      ['n', 'no'],
      ['N', 'never in this session'],
      ['e', 'edit'],
      ...(models.length > 1 ? [['m', 'other model'] as const] : []),
    ]),
    press(key) {
      switch (wordOf(key)) {
        case 'y':
          return decide({ decision: 'allow', ...changed })
        case 's':
          return decide({ decision: 'allow', ...changed, remember: 'session' })
        case 'N':
          return decide({ decision: 'deny', remember: 'session' })
        case 'n':
        case 'escape':
          return decide({ decision: 'deny' })
        case 'm': {
          const next = models[(models.indexOf(model) + 1) % models.length]
          return next === undefined || next === model
            ? undefined
            : { kind: 'sheet', sheet: samplingSheet(review, { ...changed, model: next }) }
        }
        case 'e': {
          const text = JSON.stringify({ systemPrompt, maxTokens, messages }, undefined, 2)
          return { kind: 'sheet', sheet: requestEditor(text, review, changed) }
        }
        default:
          return undefined
      }
    },
  }
}

function contextText(wanted: string | undefined): string {
  const none = 'nothing of your conversation goes along'
  return wanted === undefined || wanted === 'none'
    ? none
    : `it asks for context (${flat(wanted, 40)}), and ${none}`
}

function requestEditor(
  text: string,
  review: SamplingReview,
  changed: Omit<Allowed, 'decision'>,
): Sheet {
  return editorSheet(text, {
    title: `The request of ${flat(review.server, 80)}, as JSON`,
    accept(written) {
      const { value, fault: problem } = parseJson(written)
      if (problem !== undefined) return { problem }
      const read = readRequest(value)
      if (typeof read === 'string') return { problem: read }
      return { step: { kind: 'sheet', sheet: samplingSheet(review, { ...changed, ...read }) } }
    },
    cancel: () => samplingSheet(review, changed),
  })
}

/** What is wrong with it, or the parts. */
function readRequest(value: unknown): string | Omit<Allowed, 'decision'> {
  if (typeof value !== 'object' || value === null) return 'write an object: { "messages": [ … ] }'
  const { messages, systemPrompt, maxTokens } = value as { readonly [name: string]: unknown } // just looked
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    return '"messages" must be a list of { "role": "user" or "assistant", "content": … }'
  }
  if (systemPrompt !== undefined && typeof systemPrompt !== 'string')
    return '"systemPrompt" must be a text'
  if (maxTokens !== undefined && !(Number.isSafeInteger(maxTokens) && Number(maxTokens) > 0)) {
    return '"maxTokens" must be a whole number above 0'
  }
  return {
    messages: messages as Messages, // each has a role and content; the model's adapter reads the blocks it knows
    ...(typeof systemPrompt === 'string' && { systemPrompt }),
    ...(maxTokens !== undefined && { maxTokens: Number(maxTokens) }),
  }
}

function isMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { role, content } = value as { readonly [name: string]: unknown } // just looked
  return (role === 'user' || role === 'assistant') && [content].flat().every(isBlock)
}

function isBlock(block: unknown): boolean {
  if (typeof block !== 'object' || block === null) return false
  const { type, text } = block as { readonly [name: string]: unknown } // just looked
  return typeof type === 'string' && (type !== 'text' || typeof text === 'string')
}

function messageLines(messages: Messages, width: number): readonly Line[] {
  return messages.flatMap(({ role, content }) => [
    line(role === 'user' ? 'Message' : 'Answer before', 'dim'),
    ...[content]
      .flat()
      .flatMap((block) =>
        paragraph(block.type === 'text' ? block.text : `(${block.type})`, width, 'plain', '  │ '),
      ),
  ])
}

/** Shows what the model answered, before the server gets it. */
export function samplingAnswerSheet(answer: SamplingAnswer, text: string = answer.text): Sheet {
  const isChanged = text !== answer.text
  return {
    lines: (width) => [
      line(`Give this answer to ${flat(answer.server, 80)}?`, 'bold'),
      ...paragraph(
        isChanged ? `${answer.model}, changed by you` : answer.model,
        width,
        'dim',
        '  ',
      ),
      ...paragraph(text === '' ? '(empty)' : text, width, 'plain', '  │ '),
    ],
    keys: keyLine([
      ['y', 'give it'],
      ['e', 'edit'],
      ['n', 'withhold it'],
    ]),
    press(key) {
      const word = wordOf(key)
      if (word === 'y') {
        const decision = { decision: 'release', ...(isChanged && { text }) } as const
        return { kind: 'answer', answer: { kind: 'sampling-answer', decision } }
      }
      if (word === 'n' || word === 'escape') {
        return {
          kind: 'answer',
          answer: { kind: 'sampling-answer', decision: { decision: 'withhold' } },
        }
      }
      if (word !== 'e') return undefined
      const editor = editorSheet(text, {
        title: `The answer for ${flat(answer.server, 80)}`,
        accept: (written) => ({
          step: { kind: 'sheet', sheet: samplingAnswerSheet(answer, written) },
        }),
        cancel: () => samplingAnswerSheet(answer, text),
      })
      return { kind: 'sheet', sheet: editor }
    },
  }
}
