import { describe, expect, it } from 'vitest';
import {
  after,
  before,
  doneOf,
  isScene,
  resumeAt,
  SCENES,
  withDone,
} from '../../src/learn/progress';

describe('progress', () => {
  it('reads what was kept, whatever it is', () => {
    expect(doneOf(null)).toEqual([]);
    expect(doneOf('build')).toEqual([]);
    expect(doneOf(['tie', 'build', 'build', 'flying'])).toEqual(['build', 'tie']);
  });

  it('adds a scene once, in order', () => {
    expect(withDone(['tie'], 'build')).toEqual(['build', 'tie']);
    expect(withDone(['tie'], 'tie')).toEqual(['tie']);
  });

  it('goes on where one left, else at the first undone scene', () => {
    expect(resumeAt([])).toBe('build');
    expect(resumeAt(['build', 'complete'])).toBe('tie');
    expect(resumeAt(['build'], 'move')).toBe('move');
    expect(resumeAt(['build', 'move'], 'move')).toBe('complete');
    expect(resumeAt(['build'], 'flying')).toBe('complete');
    expect(resumeAt(SCENES)).toBeNull();
  });

  it('leads from scene to scene, and back to what was left out', () => {
    expect(after('build', [])).toBe('complete');
    expect(after('messenger', ['messenger'])).toBe('build');
    expect(after('messenger', SCENES)).toBeNull();
    expect(before('build')).toBeNull();
    expect(before('tie')).toBe('complete');
  });

  it('knows scenes by name', () => {
    expect(isScene('free-draw')).toBe(true);
    expect(isScene('')).toBe(false);
  });
});
