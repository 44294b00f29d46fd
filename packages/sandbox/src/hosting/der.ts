// Just as much of DER (X.690) as a certificate is made of.

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size])
  const bytes: number[] = []
  for (let left = size; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

export function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

export const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts)
export const set = (...parts: Buffer[]) => tagged(0x31, ...parts)
export const octets = (content: Buffer) => tagged(0x04, content)
export const bits = (content: Buffer, unused = 0) => tagged(0x03, Buffer.from([unused]), content)
export const text = (value: string) => tagged(0x0c, Buffer.from(value, 'utf8'))
export const yes = () => tagged(0x01, Buffer.from([0xff]))

/** A number that is not negative, from its bytes. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = first < 0 ? Buffer.from([0]) : bytes.subarray(first)
  return tagged(0x02, (short[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short)
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const septets = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80)
    bytes.push(...septets)
  }
  return tagged(0x06, Buffer.from(bytes))
}

/** To the second; years from 1950 to 2049. */
export const time = (at: Date) => tagged(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
