import { expect, test } from 'vitest'

import { createInboundQueue } from '../../../src/transport/http-client/streams/delivery.ts'

test('delivers in order, failures and the end among the messages, at the pace of the sink', async () => {
  const delivery = createInboundQueue()
  const steps: unknown[] = []
  let freeCapacity = (): void => {}
  delivery.receive({
    message(message) {
      steps.push(message)
      return message === 'slow' ? new Promise((resolve) => (freeCapacity = resolve)) : undefined
    },
    fail: (id, error) => void steps.push(['fail', id, error]),
    end: (error) => void steps.push(['end', error]),
  })

  expect(delivery.message('quick')).toBeUndefined()
  void delivery.message('slow')
  const waiting = delivery.message('later')
  delivery.fail(1, 'reason')
  delivery.end('over')
  delivery.end('again')
  void delivery.message('too late')
  delivery.fail(2, 'too late')

  expect(steps).toEqual(['quick', 'slow'])
  freeCapacity()
  await waiting
  expect(steps).toEqual(['quick', 'slow', 'later', ['fail', 1, 'reason'], ['end', 'over']])
})

test('keeps what comes before anybody receives, and has one receiver', async () => {
  const delivery = createInboundQueue()
  const steps: unknown[] = []
  const sink = { message: (message: unknown) => void steps.push(message), end: () => undefined }
  const waiting = delivery.message('early')

  delivery.receive(sink)
  await waiting

  expect(steps).toEqual(['early'])
  expect(() => delivery.receive(sink)).toThrow('already')
})
