import { beforeEach, expect, test, vi } from 'vitest'
import { save } from './storage.ts'
import { chooseTheme, chosenTheme, followTheme, showTheme } from './theme-choice.ts'

let prefersDark = false
let onDevice = () => {}

beforeEach(() => {
  localStorage.clear()
  prefersDark = false
  document.documentElement.removeAttribute('data-theme')
  document.head.innerHTML = '<meta name="theme-color" content="#ffffff">'
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(prefers-color-scheme: dark)' && prefersDark,
    addEventListener: (_: string, listener: () => void) => {
      onDevice = listener
    },
  }))
})

const shown = () => [
  document.documentElement.dataset['theme'],
  document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content,
]

test('nothing chosen looks as the device does, and follows it', () => {
  followTheme()
  expect(shown()).toEqual(['light', '#ffffff'])
  prefersDark = true
  onDevice()
  expect(shown()).toEqual(['dark', '#181c21'])
})

test('what was chosen wins over the device', () => {
  prefersDark = true
  followTheme()
  chooseTheme('light')
  expect(shown()).toEqual(['light', '#ffffff'])
  onDevice()
  expect(shown()[0]).toBe('light')
  chooseTheme('system')
  expect(shown()[0]).toBe('dark')
})

test('another tab follows', () => {
  followTheme()
  localStorage.setItem('agency.theme', '"dark"')
  window.dispatchEvent(new StorageEvent('storage', { key: 'agency.theme' }))
  expect(shown()[0]).toBe('dark')
})

test('what is stored and no theme counts as nothing', () => {
  save('theme', 'sepia' as 'dark')
  expect(chosenTheme()).toBe('system')
  showTheme()
  expect(shown()[0]).toBe('light')
})
