import { isOldTransport, reasonOf } from '../check/why-silent.ts'
import { openHttpLink } from '../probe/http-link.ts'
import type { Location } from './examine-http.ts'
import { examineReach } from './examine-reach.ts'
import type { Examining } from './examining.ts'
import { bad, good, warning, type Step } from './step.ts'

/** For who asked for the transport of 2024-11-05: whether its stream opens. */
export async function* examineOldTransport(
  { url, headers }: Location,
  examining: Examining = {},
): AsyncGenerator<Step> {
  const title = 'the stream of events'
  const reach = await examineReach(new URL(url), examining)
  yield reach
  if (reach.state === 'bad') return
  const link = openHttpLink(url, { ...headers, accept: 'text/event-stream' }, examining.options)
  try {
    const { http } = await link.exchange('', { method: 'GET', waitMs: 3_000 })
    yield isOldTransport(http?.body)
      ? good(title, 'it opens and names the endpoint for messages')
      : bad(
          title,
          http === undefined ? 'no event in 3 s' : `HTTP ${http.status} without an endpoint event`,
          'If the server uses Streamable HTTP, leave --transport sse, or "type": "sse", out.',
        )
  } catch (error) {
    yield bad(title, reasonOf(error), 'Check the address.')
    return
  }
  yield warning(
    'the transport',
    'HTTP+SSE was replaced after 2024-11-05',
    'Move the server to Streamable HTTP: newer clients no longer support HTTP+SSE.',
  )
}
