import type { OpenApiFetch } from '@parley/tools/openapi'

/** A request as `fetch` was given it. */
export interface Recorded {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: unknown
}

/** A `fetch` that writes down what it is asked, and answers what it is told. */
export function recordedFetch(answer: (request: Recorded) => Response = () => Response.json({})) {
  const requests: Recorded[] = []
  const fetch: OpenApiFetch = async (url, { method = 'GET', headers, body }) => {
    const request = { method, url, headers: new Headers(headers), body }
    requests.push(request)
    return answer(request)
  }
  return { fetch, requests }
}

/** A document with these paths. */
export function documentOf(paths: object, more: object = {}) {
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.2.3' },
    servers: [{ url: 'https://api.example.com/v1' }],
    paths,
    ...more,
  }
}
