import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fastTmpdir, useFastTmpdir } from './fast-tmpdir.ts'

const tmpdirOfRun = process.env['TMPDIR']
afterAll(() => {
  if (tmpdirOfRun === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = tmpdirOfRun
})

const leave = () => mkdtempSync(join(fastTmpdir(), `agency-tests-${spawnSync('true').pid}-`))

function begin(): void {
  const end = useFastTmpdir()
  expect(existsSync(process.env['TMPDIR'] ?? '')).toBe(true)
  end()
}

test('what a run left that was killed is removed by the next one', () => {
  const left = leave()
  begin()
  expect(existsSync(left)).toBe(false)
})

describe('what cannot be removed', () => {
  let left: string
  let disk: string
  let isMounted = false
  beforeAll(() => {
    left = leave()
    disk = join(left, 'disk')
    mkdirSync(disk)
    isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', disk]).status === 0
  })
  afterAll(() => {
    if (isMounted) execFileSync('umount', ['-l', disk])
    rmSync(left, { recursive: true, force: true })
  })

  test('is left, and the run begins', ({ skip }) => {
    if (!isMounted) skip('this account may not mount a disk')
    begin()
    expect(existsSync(disk)).toBe(true)
  })
})
