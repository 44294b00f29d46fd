import type { SiteSettings } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { refusedAt } from '../../../lib/form/refusal.ts'
import { settingNames, settingsChanges, settingsFields, settingsProblems } from './settings-changes.ts'

const hooked: SiteSettings = {
  version: 3,
  provider: 'hook',
  pages: null,
  hook: { host: 'hooks.example', callback: true, has_secret: true },
  health_path: '/',
}
const none: SiteSettings = { version: 1, provider: null, pages: null, hook: null, health_path: '/' }

test('what is kept is not sent: neither the address of a hook nor its secret', () => {
  const before = settingsFields(hooked)
  expect(settingsChanges(before, before)).toBeNull()
  expect(settingsChanges({ ...before, healthPath: '/up' }, before)).toEqual({ health_path: '/up' })
})

test('a secret is replaced, or removed', () => {
  const before = settingsFields(hooked)
  const typed = { ...before, hookSecret: 'a secret of sixteen' }
  expect(settingsChanges(typed, before)).toEqual({ hook: { secret: 'a secret of sixteen' } })
  expect(settingsChanges({ ...typed, removesSecret: true }, before)).toEqual({ hook: { secret: null } })
})

test('a provider is chosen with what it needs', () => {
  const before = settingsFields(none)
  expect(settingsChanges({ ...before, provider: 'pages', project: 'harbour' }, before)).toEqual({
    provider: 'pages',
    pages: { project: 'harbour', branch: null },
  })
  expect(settingsChanges({ ...settingsFields(hooked), provider: 'none' }, settingsFields(hooked))).toEqual({
    provider: null,
  })
})

test('what is missing is named', () => {
  const before = settingsFields(none)
  expect(settingsProblems({ ...before, provider: 'pages' }, none)).toEqual({ project: 'Choose a project' })
  expect(settingsProblems({ ...before, provider: 'hook', hookSecret: 'short', healthPath: 'up' }, none)).toEqual({
    hookUrl: 'Enter the address',
    hookSecret: 'A secret has 16 characters at least',
    healthPath: 'A path begins with /',
  })
  expect(settingsProblems(settingsFields(hooked), hooked)).toEqual({})
})

test('a refusal stands at the field that it names', () => {
  const refused = (parameter: string) => refusedAt({ message: 'No', parameter }, settingsFields(none), settingNames)
  expect(refused('hook.url')).toEqual({ name: 'hookUrl', message: 'No' })
  expect(refused('hook.secret')).toEqual({ name: 'hookSecret', message: 'No' })
  expect(refused('pages.project')).toEqual({ name: 'project', message: 'No' })
  expect(refused('version')).toBeUndefined()
})
