import type { StandaloneClient, StandaloneRequest } from './modern-client.ts'
import type { Raw } from './raw-channel.ts'

/** A question as a result carries it. */
export interface PreparedRequest {
  readonly method: string
  readonly params: Record<string, unknown>
}

/** What ended a round that was not the last. */
export interface Round {
  readonly inputRequests: Readonly<Record<string, PreparedRequest>>
  readonly requestState: string
}

/** The round a response ends; throws where it ends in something else. */
export function roundOf({ result, error }: Raw): Round {
  if (result?.['resultType'] !== 'input_required') {
    throw new Error(`no round: ${JSON.stringify(result ?? error)}`)
  }
  const { inputRequests = {}, requestState = '' } = result as Partial<Round>
  return { inputRequests, requestState }
}

/** What a retry adds to its request: every question answered alike, or as the function says. */
export function resolveAll(
  { inputRequests, requestState }: Round,
  answer: (asked: PreparedRequest, key: string) => object | undefined,
): { readonly inputResponses: object; readonly requestState: string } {
  const answers = Object.entries(inputRequests).flatMap(([key, asked]) => {
    const one = answer(asked, key)
    return one === undefined ? [] : [[key, one] as const]
  })
  return { inputResponses: Object.fromEntries(answers), requestState }
}

/** Comes again, with answers, until there is a result or an error; gives that, and the rounds before it. */
export async function driveRounds(
  client: Pick<StandaloneClient, 'request'>,
  method: string,
  params: object,
  options: StandaloneRequest & {
    answer: (asked: PreparedRequest, key: string) => object | undefined
  },
): Promise<{ readonly last: Raw; readonly rounds: readonly Round[] }> {
  const { answer, ...request } = options
  const rounds: Round[] = []
  let last = await client.request(method, params, request)
  while (last.result?.['resultType'] === 'input_required') {
    const round = roundOf(last)
    rounds.push(round)
    last = await client.request(method, { ...params, ...resolveAll(round, answer) }, request)
  }
  return { last, rounds }
}

/** Accepts a form with this content. */
export const accept = (content: object) => ({ action: 'accept', content })
