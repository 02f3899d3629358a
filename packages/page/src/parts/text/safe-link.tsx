import { parseUrl } from '@parley/mcp/address'
import type { ReactElement } from 'react'

import { AddressWarnings } from './address-warnings.tsx'

/**
 * An address as a server gave it. Only http and https can be followed, in a new tab that learns nothing of us; the host
 * stands out, so that it can be read.
 */
export function SafeLink({ url }: { readonly url: string }): ReactElement {
  const parsed = parseUrl(url)
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    return <code className="code-inline wrap">{url}</code>
  }
  const { protocol, host, pathname, search, hash, username } = parsed
  return (
    <>
      <a
        className="safe-link wrap"
        href={parsed.href}
        target="_blank"
        rel="noreferrer noopener nofollow"
      >
        {protocol}//{username === '' ? '' : `${username}@`}
        <strong>{host}</strong>
        {pathname}
        {search}
        {hash}
      </a>
      <AddressWarnings url={parsed.href} />
    </>
  )
}
