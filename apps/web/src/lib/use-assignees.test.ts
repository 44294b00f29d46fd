import { expect, test } from 'vitest'
import { meFirst } from './use-assignees.ts'

const people = [
  { id: 'usr_2', name: 'Zoe' },
  { id: 'usr_me', name: 'Grace' },
  { id: 'usr_1', name: 'Ada' },
]

test('whoever asks comes first, then the others by name', () => {
  expect(meFirst(people, 'usr_me').map(({ name, isMe }) => [name, isMe])).toEqual([
    ['Grace', true],
    ['Ada', false],
    ['Zoe', false],
  ])
})

test('the admin key is nobody of them', () => {
  expect(meFirst(people, 'admin_key').map(({ name }) => name)).toEqual(['Ada', 'Grace', 'Zoe'])
})
