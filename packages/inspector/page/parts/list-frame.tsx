import { Button, Group, Loader } from '@mantine/core'
import { Icon, type IconName } from '@parley/page/icons'
import { Empty, Note, ProblemNote } from '@parley/page/parts'
import type { ReactElement, ReactNode } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { isKnown, loadList, offers, type ListKind, type ListState } from '../lists.ts'
import { Connecting } from '../shell/servers/connecting.tsx'
import { DiagnoseButton } from '../shell/servers/diagnosis.tsx'
import { connect, signIn } from '../shell/servers/server-actions.ts'
import { openDialog, showTab } from '../view.ts'

export interface ListFrameProps {
  readonly server: ServerView
  readonly kind: ListKind
  readonly list: ListState
  readonly icon: IconName
  readonly children: ReactNode
}

/** Around a panel that shows a list: says why there is none, or shows the panel. */
export function ListFrame({ server, kind, list, icon, children }: ListFrameProps): ReactElement {
  if (!isKnown(server)) return <NotConnected server={server} icon={icon} />
  if (!offers(server, kind)) {
    return (
      <Empty icon={icon} title={`This server offers no ${kind}`}>
        It did not declare the capability when it connected.
      </Empty>
    )
  }
  if (list.status === 'failed' && list.problem) {
    return (
      <div className="pad">
        <ProblemNote
          problem={list.problem}
          title={`The ${kind} could not be listed`}
          retry={() => void loadList(server.name, kind)}
        />
      </div>
    )
  }
  if (list.status !== 'ready' && list.items.length === 0) {
    return (
      <div className="row quiet pad" role="status">
        <Loader size={14} /> Fetching the {kind}…
      </div>
    )
  }
  if (list.problem === undefined) return <>{children}</>
  return (
    <div className="column">
      <div className="pad">
        <ProblemNote
          problem={list.problem}
          title={`Something is wrong with the list of ${kind}`}
          retry={() => void loadList(server.name, kind)}
        />
      </div>
      {children}
    </div>
  )
}

/** What a panel shows of a server without a connection. */
export function NotConnected({
  server,
  icon,
}: {
  readonly server: ServerView
  readonly icon: IconName
}): ReactElement {
  const { name, state, problem, approval } = server
  const sends = approval?.to !== undefined
  if (state === 'connecting') {
    return (
      <div className="pad">
        <Connecting server={server} />
      </div>
    )
  }
  if (state === 'unauthorized') {
    return (
      <Empty
        icon="key"
        title={`${name} requires sign-in`}
        action={
          <Button leftSection={<Icon name="key" size={15} />} onClick={() => signIn(name)}>
            Sign in
          </Button>
        }
      >
        It answered 401. Sign in to see what it offers.
      </Empty>
    )
  }
  if (state === 'failed') {
    return (
      <div className="pad" data-failed tabIndex={-1}>
        <Note
          tone="bad"
          isUrgent
          title={`${name} is not connected`}
          action={
            <Group gap={8}>
              <Button size="xs" onClick={() => connect(server)}>
                Connect
              </Button>
              <DiagnoseButton server={server} />
              {server.source === undefined && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => openDialog({ kind: 'edit', server: name })}
                >
                  {'command' in server.entry ? 'Edit command' : 'Edit address'}
                </Button>
              )}
              <Button size="xs" variant="default" onClick={() => showTab('logs')}>
                Logs
              </Button>
            </Group>
          }
        >
          <div className="wrap">{problem?.message}</div>
          {problem?.hint !== undefined && <div className="wrap">{problem.hint}</div>}
        </Note>
      </div>
    )
  }
  return (
    <Empty
      icon={state === 'blocked' ? 'lock' : icon}
      title={
        state === 'blocked' && !sends ? `${name} has not been started` : `${name} is not connected`
      }
      action={
        <Button leftSection={<Icon name="plug" size={15} />} onClick={() => connect(server)}>
          {state === 'blocked' ? (sends ? 'Review and connect' : 'Review and start') : 'Connect'}
        </Button>
      }
    >
      {state === 'blocked'
        ? sends
          ? 'Its configuration came with the project and sends some of your data. Review it first.'
          : 'A command starts only after you have reviewed and confirmed it.'
        : (problem?.message ?? 'Connect to see what it offers.')}
    </Empty>
  )
}
