package io.belfry.core.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A binary heap whose elements know their index, so that any of them can be removed or moved in O(log n). An element is in one heap
 * at a time. Threading: confined to the leader loop.
 */
final class Heap<E extends Heap.Node> {
  private static final int NOWHERE = -1;

  abstract static class Node {
    private int place = NOWHERE;

    final boolean isPlaced() {
      return place != NOWHERE;
    }
  }

  interface Order<E> {
    boolean before(E a, E b);
  }

  private final Order<E> order;
  private final List<E> elements = new ArrayList<>();

  Heap(Order<E> order) {
    this.order = order;
  }

  boolean isEmpty() {
    return elements.isEmpty();
  }

  int size() {
    return elements.size();
  }

  E first() {
    if (elements.isEmpty()) {
      throw new NoSuchElementException("first() of an empty heap; ask isEmpty() before");
    }
    return elements.getFirst();
  }

  void add(E element) {
    elements.add(element);
    ((Node) element).place = elements.size() - 1;
    up(element);
  }

  void remove(E element) {
    Node gone = element;
    int hole = gone.place;
    E last = elements.removeLast();
    if (hole < elements.size()) {
      put(last, hole);
      moved(last);
    }
    gone.place = NOWHERE;
  }

  /** Must be called after a field that the order compares has changed. */
  void moved(E element) {
    up(element);
    down(element);
  }

  private void up(E element) {
    int at = ((Node) element).place;
    while (at > 0) {
      E parent = elements.get((at - 1) / 2);
      if (!order.before(element, parent)) {
        break;
      }
      put(parent, at);
      at = (at - 1) / 2;
    }
    put(element, at);
  }

  private void down(E element) {
    int at = ((Node) element).place;
    while (2 * at + 1 < elements.size()) {
      int child = smallerChild(at);
      E below = elements.get(child);
      if (!order.before(below, element)) {
        break;
      }
      put(below, at);
      at = child;
    }
    put(element, at);
  }

  private int smallerChild(int at) {
    int left = 2 * at + 1;
    int right = left + 1;
    return right < elements.size() && order.before(elements.get(right), elements.get(left))
        ? right
        : left;
  }

  private void put(E element, int at) {
    elements.set(at, element);
    ((Node) element).place = at;
  }
}
