import { listOf, recordOf, textOf } from '../json.ts'
import type { InputRequestForm } from './question.ts'

/** What a question says, in one line. */
export function messageOf({ kind, params }: InputRequestForm): string {
  switch (kind) {
    case 'elicitation':
      return textOf(params['message']) ?? '(no message)'
    case 'sampling': {
      const last = recordOf(listOf(params['messages']).at(-1))
      const content = Array.isArray(last['content']) ? last['content'][0] : last['content']
      return textOf(recordOf(content)['text']) ?? 'A message for a model'
    }
    case 'roots':
      return 'Which folders may it use?'
  }
}

const secretWords =
  /pass(word|phrase|code)|secret|api[\s_-]?key|token|credential|private key|credit card|\bcvv\b|\bpin\b/i

/** Whether a form seems to ask for what no form may ask for. */
export function asksForSecret({ params }: InputRequestForm): boolean {
  const { properties } = recordOf(params['requestedSchema'])
  const fields = Object.entries(recordOf(properties)).flatMap(([name, field]) => {
    const { title, description } = recordOf(field)
    return [name, textOf(title) ?? '', textOf(description) ?? '']
  })
  return [textOf(params['message']) ?? '', ...fields].some((text) => secretWords.test(text))
}
