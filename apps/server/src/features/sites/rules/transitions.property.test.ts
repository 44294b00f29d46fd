import { type SiteStatus, siteStatuses } from '@agency/contract/site'
import { expect, test } from 'vitest'
import { afterDeployment, mayChange, nextByHand, settled } from './transitions.ts'

const causes = ['by_hand', 'expired', 'deployment', 'suspension', 'resumption', 'deletion'] as const
const news = ['started', 'succeeded', 'ended'] as const

/** A small generator of its own, so that a failing history can be made again from its number. */
function random(seed: number): (below: number) => number {
  let state = (seed + 1) * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return state % below
  }
}

test('deleted is the end, and suspended ends by being resumed or deleted only', () => {
  for (const to of siteStatuses)
    for (const cause of causes) {
      expect(mayChange('deleted', to, cause)).toBe(false)
      if (mayChange('suspended', to, cause)) expect(['resumption', 'deletion']).toContain(cause)
      if (mayChange(to, 'suspended', cause)) expect(cause).toBe('suspension')
      if (mayChange(to, 'deploying', cause)) expect(cause).toBe('deployment')
    }
})

test('nobody sets by hand what only happens', () => {
  for (const from of siteStatuses)
    for (const to of nextByHand(from)) {
      expect(['pending', 'active', 'maintenance']).toContain(to)
      expect(mayChange(from, to, 'by_hand') || to === from).toBe(true)
    }
  expect(nextByHand('suspended')).toEqual([])
  expect(nextByHand('deploying')).toEqual([])
  expect(nextByHand('deleted')).toEqual([])
})

test('whatever deployments tell, every change is one that the table has, and none stays under way', () => {
  for (let seed = 0; seed < 2000; seed++) {
    const below = random(seed)
    let status: SiteStatus = siteStatuses[below(siteStatuses.length)] ?? 'pending'
    let wasDeployed = below(2) === 0
    for (let step = 0; step < 12; step++) {
      const told = news[below(3)] ?? 'ended'
      const next = afterDeployment(status, told, wasDeployed)
      if (next !== status) expect(mayChange(status, next, 'deployment'), `seed ${seed}`).toBe(true)
      if (told === 'succeeded') wasDeployed = true
      if (told !== 'started') expect(next).not.toBe('deploying')
      if (['suspended', 'maintenance', 'deleted'].includes(status)) expect(next).toBe(status)
      status = next
    }
    expect(['pending', 'active', 'maintenance']).toContain(settled(status, wasDeployed))
  }
})

test('a first success makes a site active; a failure before it leaves it pending, after it active', () => {
  expect(afterDeployment('pending', 'started', false)).toBe('deploying')
  expect(afterDeployment('deploying', 'succeeded', false)).toBe('active')
  expect(afterDeployment('deploying', 'ended', false)).toBe('pending')
  expect(afterDeployment('deploying', 'ended', true)).toBe('active')
})
