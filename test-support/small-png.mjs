/** Makes a picture of a page small: few colours need one byte a point, not three. */

import { readFile, writeFile } from 'node:fs/promises'
import { crc32, deflateSync, inflateSync } from 'node:zlib'

/**
 * Rewrites a PNG of 8 bits a channel, without gaps, with at most 256 colours. Returns its size.
 *
 * @param {string} path
 * @returns {Promise<number>}
 */
export async function shrinkPng(path) {
  const { width, height, channels, points } = decode(await readFile(path))
  const { palette, indexes } = reduce(points, channels)
  const lines = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y += 1) {
    indexes.copy(lines, y * (width + 1) + 1, y * width, (y + 1) * width)
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const small = Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
  await writeFile(path, small)
  return small.length
}

/** @param {Buffer} file */
function decode(file) {
  const width = file.readUInt32BE(16)
  const height = file.readUInt32BE(20)
  const channels = file[25] === 6 ? 4 : 3
  const parts = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    if (file.toString('latin1', at + 4, at + 8) !== 'IDAT') continue
    parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  }
  const data = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const points = Buffer.alloc(height * stride)
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)]
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x < channels ? 0 : (points[at - channels] ?? 0)
      const up = y === 0 ? 0 : (points[at - stride] ?? 0)
      const corner = x < channels || y === 0 ? 0 : (points[at - stride - channels] ?? 0)
      const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter ?? 0] ?? 0
      points[at] = (data[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return { width, height, channels, points }
}

/** @param {number} left @param {number} up @param {number} corner */
function nearest(left, up, corner) {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one))
  if ((a ?? 0) <= (b ?? 0) && (a ?? 0) <= (c ?? 0)) return left
  return (b ?? 0) <= (c ?? 0) ? up : corner
}

/**
 * The 256 colours that are seen most, and for each point the nearest of them.
 *
 * @param {Buffer} points @param {number} channels
 */
function reduce(points, channels) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (let at = 0; at < points.length; at += channels) {
    const color = points.readUIntBE(at, 3)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const colors = [...counts].toSorted((a, b) => b[1] - a[1]).map(([color]) => color)
  /** @type {number[]} */
  const kept = []
  // Colours that are almost one that is kept already are left to it.
  for (const closest of [24, 12, 0]) {
    for (const color of colors) {
      if (kept.length === 256) break
      if (kept.every((other) => distance(color, other) > closest)) kept.push(color)
    }
  }
  const places = new Map(colors.map((color) => [color, placeOf(color, kept)]))
  const indexes = Buffer.alloc(points.length / channels)
  for (let at = 0; at < indexes.length; at += 1) {
    indexes[at] = places.get(points.readUIntBE(at * channels, 3)) ?? 0
  }
  const palette = Buffer.alloc(kept.length * 3)
  for (const [at, color] of kept.entries()) palette.writeUIntBE(color, at * 3, 3)
  return { palette, indexes }
}

/** @param {number} color @param {readonly number[]} kept */
function placeOf(color, kept) {
  let best = 0
  for (let at = 1; at < kept.length; at += 1) {
    if (distance(color, kept[at] ?? 0) < distance(color, kept[best] ?? 0)) best = at
  }
  return best
}

/** @param {number} one @param {number} other */
function distance(one, other) {
  const red = (one >> 16) - (other >> 16)
  const green = ((one >> 8) & 255) - ((other >> 8) & 255)
  const blue = (one & 255) - (other & 255)
  return Math.abs(red) + Math.abs(green) + Math.abs(blue)
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}
