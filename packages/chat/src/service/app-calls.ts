/** The calls that apps in the page have under way, by app. */
export interface AppCalls {
  /** One more call of an app; the signal aborts when the app is no longer shown. */
  begin(app: string): AbortSignal
  /** One call less. */
  finish(app: string): void
  /** The app is gone, and so are its calls. */
  end(app: string): void
}

/** Remembers an app for as long as it has a call under way. */
export function createAppCalls(): AppCalls {
  const running = new Map<string, { readonly gone: AbortController; count: number }>()

  return {
    begin(app) {
      const call = running.get(app) ?? { gone: new AbortController(), count: 0 }
      running.set(app, call)
      call.count += 1
      return call.gone.signal
    },
    finish(app) {
      const call = running.get(app)
      if (call === undefined) return
      call.count -= 1
      if (call.count === 0) running.delete(app)
    },
    end(app) {
      running.get(app)?.gone.abort(new Error('the app is no longer shown'))
    },
  }
}
