import { Button } from '@mantine/core'
import { Note, problemOf, showProblem, Tag } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { PermissionView } from '../../src/protocol/index.ts'
import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { Accounts } from './accounts.tsx'

/** What was allowed or refused for longer than one call, and how to take it back. */
export function Permissions(): ReactElement {
  const questions = useStore((store) => store.questions)
  const [listed, setListed] = useState<readonly PermissionView[]>()
  const [problem, setProblem] = useState<string>()
  // After each question there may be one more.
  useEffect(() => {
    channel
      .ask('permissions/list', {})
      .then(setListed)
      .catch((error: unknown) => setProblem(problemOf(error).message))
  }, [questions])

  async function forget(id: string) {
    try {
      await channel.ask('permissions/revoke', { id })
      setListed(await channel.ask('permissions/list', {}))
    } catch (error) {
      showProblem(error, 'Not forgotten')
    }
  }

  return (
    <div className="stack">
      <Accounts />
      {problem !== undefined && <Note tone="bad">{visible(problem)}</Note>}
      {listed?.length === 0 && <p>You are asked about every call.</p>}
      <ul className="left-list">
        {listed?.map(({ id, decision, server, tool, duration, at }) => (
          <li key={id} className="permission">
            <div className="grow wrap">
              <strong>{tool === undefined ? 'All tools' : visible(tool)}</strong> of{' '}
              {visible(server)}
              <div className="row wrap-row">
                <Tag tone={decision === 'allow' ? 'good' : 'bad'}>
                  {decision === 'allow' ? 'allowed' : 'refused'}
                </Tag>
                <span className="quiet">
                  {duration === 'always' ? 'always' : 'this session'}, since{' '}
                  {at.slice(0, 16).replace('T', ' ')} UTC
                </span>
              </div>
            </div>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={`Ask again about ${visible(tool ?? 'all tools')} of ${visible(server)}`}
              onClick={() => void forget(id)}
            >
              Ask again
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
