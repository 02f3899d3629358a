import { Button } from '@mantine/core'
import { parseUrl } from '@parley/mcp/address'
import { Icon } from '@parley/page/icons'
import { AddressWarnings, CopyText, Note } from '@parley/page/parts'
import type { ReactElement } from 'react'

/** The page of the issuer that a person has to open: its host to look at, a button, and the address to copy. */
export function SignInLink({ url }: { readonly url: string }): ReactElement | null {
  const parsed = parseUrl(url)
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') return null
  return (
    <Note
      tone="warning"
      title="Sign in on the page of the issuer"
      action={
        <Button
          component="a"
          href={parsed.href}
          target="_blank"
          rel="noreferrer noopener nofollow"
          leftSection={<Icon name="external" size={14} />}
        >
          Open sign-in page
        </Button>
      }
    >
      <div>
        It is at <strong className="mono wrap">{parsed.host}</strong>. When you are done there, this
        page continues automatically.
      </div>
      <AddressWarnings url={parsed.href} />
      <details className="claims">
        <summary>Full address</summary>
        <div className="row">
          <code className="mono wrap grow">{parsed.href}</code>
          <CopyText text={parsed.href} label="Copy the address" />
        </div>
      </details>
    </Note>
  )
}
