import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

/** Pretends that resources change, for those who follow them. */
export interface SubscriberUpdates {
  readonly tool: Feature
  /** Give it to resources; it runs while somebody follows one. */
  watch(variables: object, changed: () => void, signal: AbortSignal): void
}

/** One per server: every subscriber hears of the changes, whoever turned them on. */
export function createSubscriberUpdates(everyMs: number): SubscriberUpdates {
  const followed = new Set<() => void>()
  let isOn = false
  let timer: NodeJS.Timeout | undefined

  function changeAll(): void {
    for (const changed of followed) changed()
  }

  /** The timer lives only while it is wanted and somebody hears it. */
  function setTimer(): void {
    const isNeeded = isOn && followed.size > 0
    if (isNeeded) timer ??= setInterval(changeAll, everyMs)
    else {
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    tool: defineTool(
      'toggle-subscriber-updates',
      {
        title: 'Toggle Subscriber Updates',
        description: 'Starts or stops pretending that the resources a client follows have changed.',
        inputSchema: z.object({}),
        annotations: toolHints('adds'),
        task: 'never',
      },
      () => {
        isOn = !isOn
        setTimer()
        if (!isOn) return 'Stopped simulated resource updates.'
        changeAll()
        return `Started simulated resource updated notifications every ${everyMs / 1_000} seconds, for all resources that are followed.`
      },
    ),
    watch(_, changed, signal) {
      followed.add(changed)
      setTimer()
      signal.addEventListener(
        'abort',
        () => {
          followed.delete(changed)
          setTimer()
        },
        { once: true },
      )
    },
  }
}
