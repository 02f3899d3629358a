import { Button, Modal, TextInput } from '@mantine/core'
import {
  CopyText,
  DataTable,
  Empty,
  formatMoment,
  Note,
  showProblem,
  Tag,
} from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import type { KeyView } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { Answer, useAsked } from '../parts/asked.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { useReturnedFocus } from '../parts/returned-focus.ts'
import { useStore } from '../store.ts'

const columns = ['Holder', 'Id', 'State', 'Scopes', 'Made', 'Ends']

/** API keys: who has one, new ones, and their end. */
export function KeysView(): ReactElement {
  const hasKeys = useStore((store) => store.state?.has.keys ?? false)
  if (!hasKeys) {
    return (
      <Empty icon="key" title="This gateway uses no API keys">
        Add <code>{'auth: { keys: keys.json }'}</code> to its file and start it again. Without{' '}
        <code>auth</code> it serves everybody on this machine.
      </Empty>
    )
  }
  return <Keys />
}

const tones = { active: 'good', expired: 'warning', revoked: 'bad' } as const

function Keys(): ReactElement {
  const asked = useAsked(() => openChannel().ask('keys/list', {}), [])
  const retry = () => (asked.state === 'loading' ? undefined : asked.retry())
  const [isMaking, setIsMaking] = useState(false)
  const [revoking, setRevoking] = useState<KeyView>()
  return (
    <div className="view">
      <div className="row">
        <Button onClick={() => setIsMaking(true)}>New key</Button>
      </div>
      <Answer asked={asked} name="The keys">
        {(keys) =>
          keys.length === 0 ? (
            <Empty icon="key" title="No keys yet">
              Without one, this gateway accepts no calls.
            </Empty>
          ) : (
            <div className="card">
              <DataTable label="Keys" columns={columns} hasActions>
                {keys.map((key) => (
                  <tr key={key.id}>
                    <th scope="row">
                      <PlainText text={key.name} most={120} />
                    </th>
                    <td className="mono">{key.id}</td>
                    <td>
                      <Tag tone={tones[key.state]}>{key.state}</Tag>
                    </td>
                    <td>{key.scopes.join(' ') || 'none'}</td>
                    <td>{formatMoment(Date.parse(key.created))}</td>
                    <td>
                      {key.expires === undefined ? 'never' : formatMoment(Date.parse(key.expires))}
                    </td>
                    <td>
                      {key.state === 'active' && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={`Revoke the key of ${key.name}`}
                          onClick={() => setRevoking(key)}
                        >
                          Revoke
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </DataTable>
            </div>
          )
        }
      </Answer>
      {isMaking && (
        <NewKey
          onClose={() => {
            setIsMaking(false)
            retry()
          }}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke the key of ${revoking.name}`}
          word="Revoke"
          isDangerous
          onConfirm={async () => {
            await openChannel().ask('keys/revoke', { id: revoking.id })
            retry()
          }}
          onClose={() => setRevoking(undefined)}
        >
          It is no longer accepted. This cannot be undone.
        </Confirm>
      )}
    </div>
  )
}

function NewKey({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState('')
  const [expires, setExpires] = useState('')
  const [made, setMade] = useState<string>()
  useReturnedFocus()
  const make = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const { key } = await openChannel().ask('keys/create', {
        name,
        scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
        ...(expires !== '' && { expires }),
      })
      setMade(key)
    } catch (error) {
      showProblem(error, 'The key was not made')
    }
  }
  if (made !== undefined) {
    return (
      <Modal opened onClose={onClose} title={`The key of ${name}`} closeOnClickOutside={false}>
        <div className="stack">
          <Note tone="warning" title="It is shown this once">
            Only its hash is stored: it cannot be shown again.
          </Note>
          <div className="row">
            <code className="code-inline wrap grow" data-testid="new-key">
              {made}
            </code>
            <CopyText text={made} label="Copy the key" />
          </div>
          <div className="row end">
            <Button onClick={onClose}>I have it</Button>
          </div>
        </div>
      </Modal>
    )
  }
  return (
    <Modal opened onClose={onClose} title="New key">
      <form className="stack" onSubmit={(event) => void make(event)}>
        <TextInput
          label="Holder"
          description="Whose key it is: the subject of its requests"
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Scopes"
          description="Separated by blanks; none by default"
          value={scopes}
          onChange={(event) => setScopes(event.currentTarget.value)}
        />
        <TextInput
          label="Ends"
          description="Never by default"
          type="date"
          value={expires}
          onChange={(event) => setExpires(event.currentTarget.value)}
        />
        <div className="row end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Make the key</Button>
        </div>
      </form>
    </Modal>
  )
}
