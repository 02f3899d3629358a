import { type Outgoing, OutgoingError } from '@parley/registry'

/** Answers of other hosts by URL: a text or JSON with status 200, or a status, or both with headers. */
export interface FakeHosts {
  readonly [url: string]:
    | string
    | number
    | {
        readonly status?: number
        readonly json?: unknown
        readonly headers?: Readonly<Record<string, string>>
      }
    | ((headers: { readonly [name: string]: string }) => object | number)
}

/** Other hosts, and what was asked of them. */
export function fakeOutgoing(hosts: FakeHosts): { outgoing: Outgoing; asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async outgoing(url, { headers = {}, mayAsk = () => true } = {}) {
      asked.push(url)
      if (!mayAsk(new URL(url))) throw new OutgoingError('refused', `${url} is not asked`)
      const found = hosts[url]
      if (found === undefined) return { status: 404, headers: new Headers(), text: '' }
      const answer = typeof found === 'function' ? found(headers) : found
      if (typeof answer === 'string') return { status: 200, headers: new Headers(), text: answer }
      if (typeof answer === 'number') return { status: answer, headers: new Headers(), text: '' }
      const {
        status = 200,
        json,
        headers: own,
      } = answer as {
        status?: number
        json?: unknown
        headers?: Readonly<Record<string, string>>
      } // the only other form
      return { status, headers: new Headers(own), text: JSON.stringify(json ?? answer) }
    },
  }
}
