/** A page as somebody sees it. */
export interface Page {
  readonly url: string
  readonly text: string
}

/** A browser that keeps cookies for each origin, and follows what leads on. */
export function createVisitor() {
  const jars = new Map<string, Map<string, string>>()

  async function go(url: string, init: RequestInit = {}): Promise<Page> {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const next =
      response.headers.get('location') ??
      /^0; url=(.*)$/.exec(response.headers.get('refresh') ?? '')?.[1]
    const text = await response.text()
    return next === undefined ? { url, text } : go(new URL(next, url).href)
  }

  return {
    go,
    /** Fills in the form of a page. */
    send({ url, text }: Page, form: Record<string, string>): Promise<Page> {
      const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
      return go(url, { method: 'POST', body: new URLSearchParams({ ...form, token }) })
    },
  }
}
