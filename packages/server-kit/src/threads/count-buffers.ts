/** How much memory outside of the heap was asked for. */
export interface BufferCount {
  /** Throws if a limit was reached since the last call, and starts from zero. */
  resolve(): void
}

const mebibyte = 1024 * 1024

type UnpackingFormat = ConstructorParameters<typeof DecompressionStream>[0]

/**
 * Limits what a thread asks for as buffers, which the limits of a worker leave out: a PDF of two kilobytes can unpack to
 * gigabytes. Changes the constructors of this thread, so it is for one that does nothing else. What is asked for is
 * counted, not what is given back: nobody can tell that in time.
 */
export function limitBuffers(maxMiB: number): BufferCount {
  let bytes = 0
  let isReached = false

  function count(more: number): void {
    if (isReached || bytes + more > maxMiB * mebibyte) {
      isReached = true // whoever asked may carry on without it
      throw tooLarge(maxMiB)
    }
    bytes += more
  }

  for (const name of counted) {
    const constructor = globalThis[name]
    const size = 'BYTES_PER_ELEMENT' in constructor ? constructor.BYTES_PER_ELEMENT : 1
    const counting = new Proxy<object>(constructor, {
      construct(target, args: readonly unknown[], newTarget) {
        count(lengthOf(args[0]) * size)
        // As the thread itself would, but for the count.
        return Reflect.construct(target as typeof constructor, args, newTarget) as object
      },
    })
    replaceGlobal(name, counting)
  }
  const Unpacking = globalThis.DecompressionStream
  function unpack(format: UnpackingFormat): Pick<DecompressionStream, 'readable' | 'writable'> {
    const { readable, writable } = new Unpacking(format)
    const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        count(piece.byteLength)
        controller.enqueue(piece)
      },
    })
    return { writable, readable: readable.pipeThrough(counting) }
  }
  replaceGlobal('DecompressionStream', unpack)

  return {
    resolve() {
      const wasReached = isReached
      isReached = false
      bytes = 0
      if (wasReached) throw tooLarge(maxMiB)
    },
  }
}

function replaceGlobal(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
}

const counted = [
  'ArrayBuffer',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
] as const

/** A view of a buffer takes nothing; a list or another array is copied. */
function lengthOf(first: unknown): number {
  if (typeof first === 'number') return first
  const isCopied = Array.isArray(first) || ArrayBuffer.isView(first)
  return isCopied && 'length' in first && typeof first.length === 'number' ? first.length : 0
}

function tooLarge(maxMiB: number): Error {
  return new RangeError(`It unpacks to more than ${maxMiB} MiB.`)
}
