import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { asChild } from '../as-child.ts'

type Order = { does: 'sum' | 'miss' | 'refuse' | 'crash' | 'wait' }

/** Does what its order names. */
await asChild<Order>(async ({ does }, { lines, news, endWith }) => {
  if (does === 'miss') return readFile('/nowhere/at/all')
  if (does === 'refuse') throw new AppError('conflict', 'Not like this')
  if (does === 'crash') process.exit(3)
  if (does === 'wait') {
    endWith()
    news({ pid: process.pid })
    return sleep(600_000)
  }
  let sum = 0
  for (;;) {
    const { value } = await lines.next()
    if ('end' in (value as object)) return { sum, key: process.env['KEY'] ?? null }
    sum += (value as { number: number }).number
    news(sum)
  }
})
