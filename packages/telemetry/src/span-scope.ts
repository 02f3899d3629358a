import { INVALID_SPAN_CONTEXT, trace, type Context, type Span } from '@opentelemetry/api'

/**
 * The context in which a span is the active one, as `trace.setSpan` makes it. That one copies everything its parent has,
 * for every request; this one asks its parent.
 */
export class SpanScope implements Context {
  private readonly parent: Context
  private readonly span: Span

  constructor(parent: Context, span: Span) {
    // Its span is not asked for any more, and must not be kept by those below.
    this.parent = parent instanceof SpanScope ? parent.parent : parent
    this.span = span
  }

  getValue(key: symbol): unknown {
    return key === spanKey ? this.span : this.parent.getValue(key)
  }

  setValue(key: symbol, value: unknown): Context {
    return this.copy().setValue(key, value)
  }

  deleteValue(key: symbol): Context {
    return this.copy().deleteValue(key)
  }

  private copy(): Context {
    return this.parent.setValue(spanKey, this.span)
  }
}

/** The key of the span in a context. The API reveals it to a context alone. */
const spanKey = findSpanKey()

function findSpanKey(): symbol {
  let found = Symbol('no span')
  const spanContext: Context = {
    getValue: () => undefined,
    setValue(key) {
      found = key
      return spanContext
    },
    deleteValue: () => spanContext,
  }
  trace.setSpan(spanContext, trace.wrapSpanContext(INVALID_SPAN_CONTEXT))
  return found
}
