import type { WireFeatures } from './codec.ts'

/** What a server may ask of a client in a revision, by request or in a result. */
export function questionsIn({ elicitation }: WireFeatures): ReadonlySet<string> {
  const questions = ['sampling/createMessage', 'roots/list']
  return new Set(elicitation === 'none' ? questions : [...questions, 'elicitation/create'])
}

/** Methods a server may send as requests; none where questions travel in results. */
export function serverRequestsIn(has: WireFeatures): ReadonlySet<string> {
  return new Set(has.liveQuestions ? ['ping', ...questionsIn(has), ...taskRequestsIn(has)] : [])
}

/** Either side may ask for work in the background, and then asks about it. */
export function taskRequestsIn({ tasks }: WireFeatures): readonly string[] {
  return tasks === 'core' ? ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'] : []
}
