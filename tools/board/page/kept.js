// What the browser keeps from one page to the next. One that is set to keep nothing says so by an error: then it lasts as
// long as the page does.

function store(name) {
  const memory = new Map();
  return {
    get(key) {
      if (memory.has(key)) return memory.get(key);
      try { return window[name].getItem(key); } catch { return null; }
    },
    // Whether it lasts.
    set(key, value) {
      try {
        window[name].setItem(key, value);
        memory.delete(key);
        return true;
      } catch {
        memory.set(key, value);
        return false;
      }
    },
    remove(key) {
      memory.delete(key);
      try { window[name].removeItem(key); } catch { /* it keeps nothing */ }
    },
  };
}

export const local = store("localStorage"), session = store("sessionStorage");

// What was kept as JSON, or what it is without.
export function recalled(key, otherwise) {
  try { return JSON.parse(local.get(key)) ?? otherwise; } catch { return otherwise; }
}
