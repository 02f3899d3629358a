import {
  createContextKey,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Span,
} from '@opentelemetry/api'
import { expect, test } from 'vitest'

import { SpanScope } from '../src/span-scope.ts'

const key = createContextKey('something else')

function createSpan(): Span {
  return trace.wrapSpanContext({ ...INVALID_SPAN_CONTEXT })
}

test('a scope has its span, and all else that its parent has', () => {
  const span = createSpan()
  const baggage = propagation.createBaggage({ user: { value: 'ada' } })
  const parent = propagation.setBaggage(trace.setSpan(ROOT_CONTEXT, createSpan()), baggage)
  const scope = new SpanScope(parent, span)

  expect(trace.getSpan(scope)).toBe(span)
  expect(propagation.getBaggage(scope)).toBe(baggage)
  expect(scope.getValue(key)).toBeUndefined()
})

test('what is made of a scope has all that it has', () => {
  const span = createSpan()
  const scope = new SpanScope(ROOT_CONTEXT.setValue(key, 1), span)
  const changed = scope.setValue(key, 2)

  expect([trace.getSpan(changed), changed.getValue(key)]).toEqual([span, 2])
  expect(scope.getValue(key)).toBe(1)
  expect(trace.getSpan(scope.deleteValue(key))).toBe(span)
  expect(scope.deleteValue(key).getValue(key)).toBeUndefined()
})

test('a scope whose span is taken out has none, not that of its parent', () => {
  const parent = trace.setSpan(ROOT_CONTEXT, createSpan())

  expect(trace.getSpan(trace.deleteSpan(new SpanScope(parent, createSpan())))).toBeUndefined()
})

test('scopes below each other do not keep the spans above', () => {
  const [outer, inner] = [createSpan(), createSpan()]
  const scope = new SpanScope(new SpanScope(ROOT_CONTEXT.setValue(key, 1), outer), inner)

  expect([trace.getSpan(scope), scope.getValue(key)]).toEqual([inner, 1])
  expect(Object.values(scope)).not.toContain(outer)
  expect(Object.values(scope).some((part) => part instanceof SpanScope)).toBe(false)
})
