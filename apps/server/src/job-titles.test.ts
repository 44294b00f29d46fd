import { expect, test } from 'vitest'
import { jobs } from './features/index.ts'
import { jobTitle, jobTitles } from './platform/job-titles.ts'

test('every kind of background work has a title of its own', () => {
  const names = jobs.map(({ name }) => name)
  expect(names.filter((name) => !Object.hasOwn(jobTitles, name))).toEqual([])
  const titles = names.map(jobTitle)
  expect(titles.filter((title, place) => titles.indexOf(title) !== place)).toEqual([])
})

test.each([
  ['mail.send', 'Send emails'],
  ['gone-feature.roll-up', 'Roll up'],
])('%s is called: %s', (name, title) => {
  expect(jobTitle(name)).toBe(title)
})
