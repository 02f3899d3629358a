import { Button } from '@mantine/core'
import { Note } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { AuthView, SignedOut } from '../../src/protocol/index.ts'
import { Scopes } from './step-up.tsx'

/** A call was refused for want of scopes; nobody is asked before they want to be. */
export function NeedsNote(props: {
  readonly view: AuthView
  readonly onAsk: (scope: string) => void
}): ReactElement | null {
  const { needs, scopes = [] } = props.view
  if (needs === undefined) return null
  const all = [...new Set([...scopes, ...needs])]
  return (
    <Note
      tone="warning"
      title="A call was refused: it needs more scopes"
      action={
        <Button variant="default" size="xs" onClick={() => props.onAsk(all.join(' '))}>
          Ask for them
        </Button>
      }
    >
      <Scopes scopes={needs} />
    </Note>
  )
}

const texts: Readonly<Record<SignedOut['kind'], string>> = {
  absent: 'You were not signed in.',
  revoked: 'The issuer revoked the tokens.',
  unsupported: 'The issuer does not support revoking tokens: a copy stays valid until it expires.',
  failed: 'The issuer did not revoke the tokens: a copy stays valid until it expires.',
}

/** What became of the tokens, and whether the server still takes the old one. */
export function SignedOutNote({ signedOut }: { readonly signedOut: SignedOut }): ReactElement {
  const { kind, why, status } = signedOut
  const isUsed = status !== undefined && status >= 200 && status < 300
  const isClosed = kind === 'absent' || (kind === 'revoked' && !isUsed)
  return (
    <Note tone={isClosed ? 'good' : 'warning'} title="Signed out here" isUrgent>
      <div>{texts[kind]}</div>
      {why !== undefined && <div className="wrap">{why}</div>}
      {status === 401 && <div>The server rejects the old token: 401.</div>}
      {isUsed && (
        <div>
          The server still accepts the old token ({status}): it checks tokens without asking the
          issuer until they expire.
        </div>
      )}
    </Note>
  )
}
