import { Button } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import {
  Columns,
  DataTable,
  Empty,
  formatMs,
  formatTime,
  showProblem,
  Tag,
  type Tone,
  useIsNarrow,
} from '@parley/page/parts'
import { useCallback, useEffect, useState, type ReactElement } from 'react'

import type { RunOutcome, ServerView, TaskView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { useStore } from '../store.ts'
import { OutcomeView } from '../tools/run-view.tsx'

import '../tools/tools.css'

const tones: Readonly<Record<string, Tone>> = {
  working: 'info',
  submitted: 'info',
  input_required: 'warning',
  completed: 'good',
  failed: 'bad',
  cancelled: 'plain',
}

/** The tasks of a server: how each stands, and what came of it. */
export function TasksPanel({ server }: { readonly server: ServerView }): ReactElement {
  const all = useStore((store) => store.tasks)
  const isNarrow = useIsNarrow()
  const [chosen, setChosen] = useState<string>()
  const tasks = all
    .filter((task) => task.server === server.name)
    .toSorted((a, b) => b.createdAt - a.createdAt)
  const task = tasks.find(({ taskId }) => taskId === chosen) ?? tasks[0]
  if (task === undefined) {
    return (
      <Empty icon="clock" title="No tasks">
        A call run as a task goes on when the connection is lost, and is shown here until the server
        forgets it. Tools that allow it have the mark “task”.
      </Empty>
    )
  }
  const table = (
    <DataTable label="Tasks" columns={['Tool', 'State', 'Started', 'Took']} className="grow" isList>
      {tasks.map((item) => (
        <tr key={item.taskId} data-picked={item === task}>
          <td>
            <button type="button" className="link-button" onClick={() => setChosen(item.taskId)}>
              {item.tool}
            </button>
          </td>
          <td>
            <Tag tone={tones[item.status] ?? 'plain'}>{item.status}</Tag>
          </td>
          <td className="mono">{formatTime(item.createdAt).slice(0, 8)}</td>
          <td className="mono">{formatMs(item.updatedAt - item.createdAt)}</td>
        </tr>
      ))}
    </DataTable>
  )
  const detail = <TaskDetail key={task.taskId} task={task} server={server} />
  if (isNarrow) {
    return (
      <section className="column" data-pane aria-label="Tasks" tabIndex={-1}>
        <div className="narrow-detail">
          {table}
          {detail}
        </div>
      </section>
    )
  }
  return (
    <Columns
      id="tasks"
      columns={[
        { id: 'task-list', label: 'List of tasks', size: '45%', least: 260, node: table },
        { id: 'task-view', label: 'Task', size: '55%', least: 280, node: detail },
      ]}
    />
  )
}

function TaskDetail({ task, server }: { readonly task: TaskView; readonly server: ServerView }) {
  const { taskId, tool, status, statusMessage, ttlMs, pollIntervalMs } = task
  const [fetched, setFetched] = useState<RunOutcome>()
  const outcome = task.outcome ?? fetched
  const isOver = status === 'completed' || status === 'failed' || status === 'cancelled'

  const getResult = useCallback(async () => {
    try {
      setFetched(await openChannel().ask('tasks/result', { server: server.name, taskId }))
    } catch (error) {
      showProblem(error, 'No result')
    }
  }, [server.name, taskId])

  useEffect(() => {
    if (isOver && task.outcome === undefined) void getResult()
  }, [isOver, task.outcome, getResult])

  function cancel() {
    openChannel()
      .ask('tasks/cancel', { server: server.name, taskId })
      .catch((error: unknown) => showProblem(error, 'The task was not cancelled'))
  }

  return (
    <>
      <div className="column-head">
        <h2 className="resource-name grow cut">{tool}</h2>
        {isOver ? (
          <Button variant="default" size="compact-sm" onClick={() => void getResult()}>
            Fetch again
          </Button>
        ) : (
          <Button
            color="red"
            variant="light"
            size="compact-sm"
            data-cancel
            leftSection={<Icon name="stop" size={13} />}
            onClick={cancel}
          >
            Cancel
          </Button>
        )}
      </div>
      <div className="column-scroll">
        <div className="row wrap-row">
          <Tag tone={tones[status] ?? 'plain'}>{status}</Tag>
          <code className="mono wrap">{taskId}</code>
          {ttlMs !== undefined && <span className="quiet">kept for {formatMs(ttlMs)}</span>}
          {pollIntervalMs !== undefined && (
            <span className="quiet">asked every {formatMs(pollIntervalMs)}</span>
          )}
        </div>
        {statusMessage !== undefined && <p className="wrap">{statusMessage}</p>}
        {outcome && <OutcomeView outcome={outcome} server={server} />}
      </div>
    </>
  )
}
